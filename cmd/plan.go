package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/memory"
	"github.com/yomikiri/yomikiri/retro"
)

// checkPlan fails if memory or disk is too small for a plan.
func checkPlan(p *retro.Plan, dir string) error {
	if err := p.Check(freeDisk(dir)); err != nil {
		return fmt.Errorf("%w; --force tries nevertheless", err)
	}
	return nil
}

// freeDisk returns the number of bytes that a solve in a directory may take.
func freeDisk(dir string) uint64 {
	free := ^uint64(0)
	// The directory may not exist yet.
	for at, err := filepath.Abs(dir); err == nil; at = filepath.Dir(at) {
		if usage, err := vfs.Default.GetDiskUsage(at); err == nil {
			free = usage.AvailBytes
			break
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	// Files that are there already are part of the plan.
	if files, err := os.ReadDir(dir); err == nil && free < ^uint64(0) {
		for _, f := range files {
			if info, err := f.Info(); err == nil && info.Mode().IsRegular() {
				free += uint64(info.Size())
			}
		}
	}
	return free
}

// worthPlanning is the number of positions from which a plan is shown.
const worthPlanning = 1_000_000

// writePlan writes how much memory and disk a solve takes, unless it is small. taken is the
// memory beside that of the solve.
func writePlan(w io.Writer, u *games.Universe, p *retro.Plan, taken uint64) error {
	if u.Size() < worthPlanning {
		return nil
	}
	var b strings.Builder
	if len(p.Tiers) > 1 {
		fmt.Fprintf(&b, "%-8s %18s %16s %14s %12s\n", "tier", "positions", "memory to solve", "memory after", "in database")
		for _, s := range p.Tiers {
			solving := ui.Size(s.Solving)
			if s.OnDisk {
				solving = "on disk"
			}
			fmt.Fprintf(&b, "%-8s %18s %16s %14s %12s\n", s.Name, ui.Grouped(s.Positions), solving, ui.Size(s.Kept), ui.FileSize(s.Disk))
		}
	}
	most := max(p.Peak+taken, memory.Peak())
	fmt.Fprintf(&b, "plan for %s:\n", u.Name)
	switch {
	case p.Limit > 0 && p.Limit < p.Least:
		fmt.Fprintf(&b, "  memory  at least %s; with %s it is faster\n", ui.Size(p.Least+taken), ui.Size(most))
	case p.Limit > 0 && p.Limit < p.Peak:
		fmt.Fprintf(&b, "  memory  at most %s, as allowed; with %s it is faster\n", ui.Size(p.Limit+taken), ui.Size(most))
	default:
		fmt.Fprintf(&b, "  memory  at most %s\n", ui.Size(most))
	}
	fmt.Fprintf(&b, "  disk    at most %s while solving, %s for the database that stays\n", ui.FileSize(p.Disk), ui.FileSize(p.Database))
	if p.Read > 0 {
		what := "the tiers marked are"
		if len(p.Tiers) == 1 {
			what = "the game is"
		}
		fmt.Fprintf(&b, "  %s solved on disk: about %s read and %s written, and 1.5 times as long\n", what, ui.FileSize(p.Read), ui.FileSize(p.Written))
		fmt.Fprintf(&b, "  where free memory caches the files; more where the disk has to keep up\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// onDisk describes the larger passes of a solve over partitions on disk. A pass over all of
// them loads each into memory once.
func onDisk(s *retro.Solution) []string {
	var lines []string
	all := uint64(0)
	for _, p := range s.Passes {
		all += p.Counts.Read + p.Counts.Written
	}
	for _, p := range s.Passes {
		c := p.Counts
		if p.Partitions == 0 || c.Read+c.Written < all/100 {
			continue
		}
		times := fmt.Sprintf("%.1f passes", float64(c.Loads)/float64(p.Partitions))
		if p.Levels > 0 {
			times = fmt.Sprintf("%s with %.1f passes each", ui.Counted(uint64(p.Levels), "level"), float64(c.Loads)/float64(p.Partitions*p.Levels))
		}
		name := p.Name
		if len(s.Tiers) > 1 {
			name += " " + s.Universe.Tiers[p.Tier].Name
		}
		lines = append(lines, fmt.Sprintf("on disk: %s: %s, %s read, %s written", name, times, ui.FileSize(c.Read), ui.FileSize(c.Written)))
	}
	return lines
}
