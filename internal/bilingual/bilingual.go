// Package bilingual has messages in English and Japanese. Their values are put into words last, so that each is in
// the language of its message.
package bilingual

import (
	"fmt"
	"strings"
)

// Message is a format of [fmt.Sprintf] in both languages, for the same values.
type Message struct{ English, Japanese string }

// speaker is a value or an error that has words in Japanese besides those of String or Error.
type speaker interface{ Japanese() string }

// In returns the message with its values in one of the languages.
func (m Message) In(japanese bool, values ...any) string {
	if !japanese {
		return fmt.Sprintf(m.English, values...)
	}
	words := make([]any, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case speaker:
			words[i] = v.Japanese()
		case error:
			words[i] = Japanese(v)
		default:
			words[i] = v
		}
	}
	return fmt.Sprintf(m.Japanese, words...)
}

// Error returns an error that says the message, and wraps the values that are errors.
func (m Message) Error(values ...any) error { return &failure{m, values} }

type failure struct {
	message Message
	values  []any
}

func (f *failure) Error() string    { return f.message.In(false, f.values...) }
func (f *failure) Japanese() string { return f.message.In(true, f.values...) }

func (f *failure) Unwrap() (all []error) {
	for _, v := range f.values {
		if err, ok := v.(error); ok {
			all = append(all, err)
		}
	}
	return all
}

// Translation is [Japanese], but "" for an error that says nothing in Japanese.
func Translation(err error) string {
	if text := Japanese(err); text != err.Error() {
		return text
	}
	return ""
}

// Japanese returns the text of an error in Japanese, as far as it and the errors that it wraps have one.
func Japanese(err error) string {
	if s, ok := err.(speaker); ok {
		return s.Japanese()
	}
	text := err.Error()
	var inner []error
	switch err := err.(type) {
	case interface{ Unwrap() error }:
		inner = append(inner, err.Unwrap())
	case interface{ Unwrap() []error }:
		inner = err.Unwrap()
	}
	for _, e := range inner {
		if e != nil {
			text = strings.Replace(text, e.Error(), Japanese(e), 1)
		}
	}
	return text
}
