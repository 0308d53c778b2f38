package app

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/learn"
)

// noDatabase is a database for a field that needs one.
type noDatabase struct{ play.Database[Position] }

// noBook is a book without moves.
type noBook struct{}

func (noBook) Moves(Position) []play.BookMove[Move] { return nil }

// TestFields converts what has a value in every field between a game's types and those of any game: no
// field is forgotten.
func TestFields(t *testing.T) {
	for _, c := range []struct {
		name      string
		converted any
	}{
		{"query", typedQuery[int, string](filled[play.Query[Position, Move]](t))},
		{"result", hiddenResult(filled[play.Result[string]](t))},
		{"lessons", typedLessons[int](filled[learn.Lessons[Position]](t))},
	} {
		complete(t, c.name, reflect.ValueOf(c.converted))
	}
	g := filled[LearnedGame](t)
	complete(t, "game", reflect.ValueOf(*typedGame[int, string](&g)))
}

// complete fails if a field has no value.
func complete(t *testing.T, name string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			complete(t, name+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		require.Positive(t, v.Len(), name)
		for i := range v.Len() {
			complete(t, name, v.Index(i))
		}
	case reflect.Pointer:
		require.False(t, v.IsNil(), name)
		complete(t, name, v.Elem())
	default:
		require.False(t, v.IsZero(), name)
	}
}

// filled returns a T with a value in every field.
func filled[T any](t *testing.T) (x T) {
	fill(t, reflect.ValueOf(&x).Elem())
	return x
}

func fill(t *testing.T, v reflect.Value) {
	switch v.Type() {
	case reflect.TypeFor[Position]():
		v.Set(reflect.ValueOf(Position{1}))
		return
	case reflect.TypeFor[Move]():
		v.Set(reflect.ValueOf(Move{"a"}))
		return
	case reflect.TypeFor[play.Database[Position]]():
		v.Set(reflect.ValueOf(noDatabase{}))
		return
	case reflect.TypeFor[play.Book[Position, Move]]():
		v.Set(reflect.ValueOf(noBook{}))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0))
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("a")
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1)
	case reflect.Func:
		v.Set(reflect.MakeFunc(v.Type(), func([]reflect.Value) []reflect.Value { return nil }))
	default:
		switch {
		case v.CanInt():
			v.SetInt(1)
		case v.CanUint():
			v.SetUint(1)
		default:
			require.Fail(t, "there is no value for "+v.Type().String())
		}
	}
}
