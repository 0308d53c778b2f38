package ui

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
)

// NoArgs refuses all arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	return checkArgs(cmd, args, func() error {
		if len(args) > 0 {
			return fmt.Errorf("unexpected argument %q", args[0])
		}
		return nil
	})
}

// AnyArgs takes any number of arguments that are not empty.
func AnyArgs(cmd *cobra.Command, args []string) error {
	return checkArgs(cmd, args, func() error { return nil })
}

// ExactArgs wants a number of arguments.
func ExactArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		return checkArgs(cmd, args, func() error {
			if len(args) != n {
				return fmt.Errorf("accepts %s, received %d", Counted(uint64(n), "argument"), len(args))
			}
			return nil
		})
	}
}

// LeastArgs wants a number of arguments or more.
func LeastArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		return checkArgs(cmd, args, func() error {
			if len(args) < n {
				return fewArguments.Error(Counted(uint64(n), "argument"), n, len(args))
			}
			return nil
		})
	}
}

// MostArgs wants a number of arguments or fewer.
func MostArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		return checkArgs(cmd, args, func() error {
			if len(args) > n {
				return fmt.Errorf("accepts at most %s, received %d", Counted(uint64(n), "argument"), len(args))
			}
			return nil
		})
	}
}

// checkArgs refuses empty arguments, and what wrong finds wrong.
func checkArgs(cmd *cobra.Command, args []string, wrong func() error) error {
	var err error
	if i := slices.Index(args, ""); i >= 0 {
		err = emptyArgument.Error(i + 1)
	} else if err = wrong(); err == nil {
		return nil
	}
	return Usage(wrongArguments.Error(err, cmd.UseLine()))
}
