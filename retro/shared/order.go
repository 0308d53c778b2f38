package shared

import (
	"cmp"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// order returns the tiers in the order in which processes take those that are ready. First come the
// tiers with the most work on the longest chain of tiers that need them, themselves included, since no
// number of processes makes that chain shorter (critical path scheduling: T. C. Hu, Parallel sequencing
// and assembly line problems, 1961). The work of a tier is about its number of positions.
func order(u *games.Universe) []int {
	chain := make([]uint64, len(u.Tiers)) // work of the longest chain that begins with a tier
	list := make([]int, len(u.Tiers))
	for tier, t := range slices.Backward(u.Tiers) {
		chain[tier] += t.Size // what is there is the chain of a tier that needs it, which comes later
		for _, child := range u.Children(tier) {
			chain[child] = max(chain[child], chain[tier])
		}
		list[tier] = tier
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(chain[b], chain[a]) })
	return list
}
