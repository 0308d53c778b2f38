package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/solver/tsume"
)

// readProblems reads the problems that the arguments name: a position, in one argument or
// in many, or files. All get an id, except a position.
func readProblems(cmd *cobra.Command, args []string, ply int, a tsume.Attacker) ([]tsume.Entry, error) {
	if isPosition(args) {
		p, err := tsume.ParseProblem(strings.Join(args, " "), a)
		if ply != 0 {
			err = fmt.Errorf("--ply %d: %w", ply, tsume.ErrPly)
		}
		if err != nil {
			return nil, usageError{err}
		}
		return []tsume.Entry{{Problem: p}}, nil
	}
	var all []tsume.Entry
	for _, name := range args {
		set, err := readSet(cmd, name, ply, a)
		if err != nil {
			return nil, err
		}
		all = append(all, set...)
	}
	return all, nil
}

// isPosition reports whether the arguments are a position rather than files.
func isPosition(args []string) bool {
	if _, err := os.Stat(args[0]); err == nil || args[0] == "-" {
		return false
	}
	fields := append(strings.Fields(strings.Join(args, " ")), "", "")
	first, turn := fields[0], fields[1]
	ranks := strings.Count(first, "/")
	return first == "sfen" || first == "startpos" || ranks > 0 && (turn == "b" || turn == "w") ||
		ranks >= 7 && first[0] != '/' && filepath.Ext(first) == ""
}

// readSet reads the problems of a file. Those without an id get one from the name
// of the file and the place.
func readSet(cmd *cobra.Command, name string, ply int, a tsume.Attacker) ([]tsume.Entry, error) {
	data, err := readInput(cmd, name)
	if err != nil {
		return nil, err
	}
	if name == "-" {
		name = "stdin"
	}
	set, err := await(cmd.Context(), func() ([]tsume.Entry, error) { return tsume.ParseSet(data, ply, a) })
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		return nil, usageError{fmt.Errorf("%s: %w", name, err)}
	}
	for i := range set {
		switch base := filepath.Base(name); {
		case set[i].ID != "":
		case len(set) == 1:
			set[i].ID = base
		case set[i].Line > 0:
			set[i].ID = fmt.Sprintf("%s:%d", base, set[i].Line)
		default:
			set[i].ID = fmt.Sprintf("%s:%d", base, i+1)
		}
	}
	return set, nil
}
