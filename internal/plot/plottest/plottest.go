// Package plottest reads plots in tests.
package plottest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Point is a point of a drawing.
type Point struct{ X, Y float64 }

// Drawing is what an SVG file has.
type Drawing struct {
	Texts []string
	Lines []string // points of the polylines
	All   []xml.StartElement
}

// Read reads an SVG file and checks that it is well-formed.
func Read(t *testing.T, svg []byte) Drawing {
	t.Helper()
	var d Drawing
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	depth, inText := 0, false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err, "%s", svg)
		switch token := token.(type) {
		case xml.StartElement:
			depth++
			d.All = append(d.All, token.Copy())
			if inText = token.Name.Local == "text"; inText {
				d.Texts = append(d.Texts, "")
			}
			if token.Name.Local == "polyline" {
				d.Lines = append(d.Lines, Attribute(token, "points"))
			}
		case xml.EndElement:
			depth--
			inText = false
		case xml.CharData:
			if inText {
				d.Texts[len(d.Texts)-1] += string(token)
			}
		}
	}
	require.Zero(t, depth)
	require.Equal(t, xml.Name{Space: "http://www.w3.org/2000/svg", Local: "svg"}, d.All[0].Name)
	return d
}

// Attribute returns an attribute of an element, empty if it has none.
func Attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// Points returns the coordinates of a polyline.
func Points(t *testing.T, text string) []Point {
	t.Helper()
	var list []Point
	for _, pair := range strings.Fields(text) {
		x, y, ok := strings.Cut(pair, ",")
		require.True(t, ok, pair)
		var p Point
		var err error
		p.X, err = strconv.ParseFloat(x, 64)
		require.NoError(t, err)
		p.Y, err = strconv.ParseFloat(y, 64)
		require.NoError(t, err)
		list = append(list, p)
	}
	return list
}

// Frame returns the edges of what the axes enclose.
func (d *Drawing) Frame(t *testing.T) (left, right, top, bottom float64) {
	t.Helper()
	for _, e := range d.All {
		if e.Name.Local != "rect" || Attribute(e, "fill") != "none" {
			continue
		}
		var at [4]float64
		for i, name := range []string{"x", "y", "width", "height"} {
			var err error
			at[i], err = strconv.ParseFloat(Attribute(e, name), 64)
			require.NoError(t, err)
		}
		return at[0], at[0] + at[2], at[1], at[1] + at[3]
	}
	require.Fail(t, "no frame")
	return 0, 0, 0, 0
}
