package ui

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
)

// NoArgs refuses all arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	return checkArgs(cmd, args, func() string {
		if len(args) > 0 {
			return fmt.Sprintf("unexpected argument %q", args[0])
		}
		return ""
	})
}

// AnyArgs takes any number of arguments that are not empty.
func AnyArgs(cmd *cobra.Command, args []string) error {
	return checkArgs(cmd, args, func() string { return "" })
}

// ExactArgs wants a number of arguments.
func ExactArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		return checkArgs(cmd, args, func() string {
			if len(args) != n {
				return fmt.Sprintf("accepts %s, received %d", Counted(uint64(n), "argument"), len(args))
			}
			return ""
		})
	}
}

// LeastArgs wants a number of arguments or more.
func LeastArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		return checkArgs(cmd, args, func() string {
			if len(args) < n {
				return fmt.Sprintf("requires at least %s, only received %d", Counted(uint64(n), "argument"), len(args))
			}
			return ""
		})
	}
}

// MostArgs wants a number of arguments or fewer.
func MostArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		return checkArgs(cmd, args, func() string {
			if len(args) > n {
				return fmt.Sprintf("accepts at most %s, received %d", Counted(uint64(n), "argument"), len(args))
			}
			return ""
		})
	}
}

// checkArgs refuses empty arguments, and what wrong finds wrong.
func checkArgs(cmd *cobra.Command, args []string, wrong func() string) error {
	text := ""
	if i := slices.Index(args, ""); i >= 0 {
		text = fmt.Sprintf("argument %d is empty", i+1)
	} else if text = wrong(); text == "" {
		return nil
	}
	return Usage(fmt.Errorf("%s; usage: %s", text, cmd.UseLine()))
}
