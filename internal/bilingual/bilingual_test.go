package bilingual_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/internal/bilingual"
)

type side bool

func (s side) String() string   { return map[side]string{false: "black", true: "white"}[s] }
func (s side) Japanese() string { return map[side]string{false: "先手", true: "後手"}[s] }

// TestMessages has errors in both languages, around and within others.
func TestMessages(t *testing.T) {
	check := bilingual.Message{English: "%v is in check from %s", Japanese: "%[2]sから%[1]vに王手"}
	place := bilingual.Message{English: "line %d: %v", Japanese: "%d行目: %v"}
	inner := check.Error(side(true), "5b")
	for _, c := range []struct {
		err               error
		english, japanese string
	}{
		{inner, "white is in check from 5b", "5bから後手に王手"},
		{place.Error(3, inner), "line 3: white is in check from 5b", "3行目: 5bから後手に王手"},
		// Names of files are none of the values.
		{fmt.Errorf("black.kif: %w", place.Error(3, inner)), "black.kif: line 3: white is in check from 5b", "black.kif: 3行目: 5bから後手に王手"},
		{place.Error(1, fmt.Errorf("SFEN: %w", inner)), "line 1: SFEN: white is in check from 5b", "1行目: SFEN: 5bから後手に王手"},
		{errors.Join(errors.New("bad"), inner), "bad\nwhite is in check from 5b", "bad\n5bから後手に王手"},
		{fs.ErrNotExist, "file does not exist", "file does not exist"},
	} {
		require.Equal(t, c.english, c.err.Error())
		require.Equal(t, c.japanese, bilingual.Japanese(c.err))
		if c.japanese == c.english {
			c.japanese = ""
		}
		require.Equal(t, c.japanese, bilingual.Translation(c.err))
	}
	require.ErrorIs(t, place.Error(1, fmt.Errorf("x: %w", fs.ErrNotExist)), fs.ErrNotExist)
}
