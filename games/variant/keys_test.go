package variant

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocumentedKeys compares the lists of keys in docs/variants-format.md with the keys that are read.
func TestDocumentedKeys(t *testing.T) {
	text, err := os.ReadFile("../../docs/variants-format.md")
	require.NoError(t, err)
	documented := map[role][]string{}
	var at role
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(line, "### Rules"):
			at = ofRules
		case strings.HasPrefix(line, "### Without effect"):
			at = withoutEffect
		case strings.HasPrefix(line, "### History"):
			at = ofHistory
		case strings.HasPrefix(line, "- "):
			list, _, _ := strings.Cut(line, ":")
			for _, name := range regexp.MustCompile("`([A-Za-z0-9]+)`").FindAllStringSubmatch(list, -1) {
				documented[at] = append(documented[at], name[1])
			}
		}
	}
	piece := regexp.MustCompile("^(mobilityRegion.*|customPiece[0-9]+)$")
	for _, role := range []role{ofRules, withoutEffect, ofHistory} {
		var want []string
		for _, k := range keyList {
			suffixed := strings.TrimSuffix(strings.TrimSuffix(k.name, "White"), "Black")
			_, both := keyTable[suffixed]
			isPiece := slotOf(k.name) != none
			if k.role == role && !isPiece && !piece.MatchString(k.name) && (suffixed == k.name || !both) {
				want = append(want, k.name)
			}
		}
		slices.Sort(want)
		got := documented[role]
		slices.Sort(got)
		require.Equal(t, slices.Compact(want), slices.Compact(got))
	}
}
