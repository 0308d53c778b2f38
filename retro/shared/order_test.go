package shared

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestOrder takes tiers first that long chains wait for, whatever their own size.
func TestOrder(t *testing.T) {
	for name, c := range map[string]struct {
		tiers []games.Tier
		want  []int
	}{
		"chain":           {[]games.Tier{{Size: 1}, {Size: 50}, {Size: 9}}, []int{0, 1, 2}},
		"nothing is sent": {[]games.Tier{{Size: 1, Children: []int{}}, {Size: 50, Children: []int{}}, {Size: 9, Children: []int{}}}, []int{1, 2, 0}},
		"diamond": {[]games.Tier{
			{Size: 5, Children: []int{}}, {Size: 20, Children: []int{0}}, {Size: 30, Children: []int{0}}, {Size: 1, Children: []int{1, 2}},
		}, []int{0, 2, 1, 3}},
		"a small tier before a large one": {[]games.Tier{
			{Size: 40, Children: []int{}}, {Size: 1, Children: []int{}}, {Size: 60, Children: []int{1}},
		}, []int{1, 2, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, order(&games.Universe{Tiers: c.tiers}))
		})
	}
}
