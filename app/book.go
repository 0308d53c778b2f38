package app

import (
	"errors"
	"fmt"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/book"
)

// Book is a file of an opening book; nil stands for none.
type Book struct {
	*book.Book
	name string
}

// ReadBook reads a book from a file, none if the name is empty.
func ReadBook(name string) (*Book, error) {
	if name == "" {
		return nil, nil
	}
	b, err := book.Read(vfs.Default, name)
	if err != nil && (errors.Is(err, os.ErrNotExist) || errors.Is(err, book.ErrBook)) {
		err = InputError{fmt.Errorf("book: %w", err)}
	}
	return &Book{b, name}, err
}

// BookOf returns the book for a game, nil if b is.
func BookOf[P, M comparable](b *Book, g games.Game[P, M]) (play.Book[P, M], error) {
	if b == nil {
		return nil, nil
	}
	o, err := book.Open(b.Book, g)
	if err != nil {
		return nil, InputError{fmt.Errorf("%s: %w", b.name, err)}
	}
	return o, nil
}
