// Package ui is what all commands have in common where they meet the user: flags and arguments, texts and
// tables, JSON records, progress, files, errors and exit codes. It knows no command and no game.
//
// A command adds its flags with functions such as [MemoryFlag] and [ThreadsFlag], so that what is called the same
// has the same limits and the same errors everywhere. Their values are checked by [CheckFlags] before the command
// runs. An options struct embeds [Printing], which adds --json and --quiet, makes the [Progress] of the command, and
// prints a result as text or as a record:
//
//	type options struct {
//		ui.Printing
//		threads int
//	}
//
//	func (o *options) addFlags(flags *pflag.FlagSet) {
//		ui.ThreadsFlag(flags, &o.threads, "0", "number of threads")
//		o.Flags(flags)
//	}
//
// Results go to the standard output, everything else to the standard error. A command returns its error, and
// [ExitCode] finds the exit code: by the error of the engine, or by what the command has made of it with [Usage],
// [Unknown] or [Interrupted]. A file is written as a whole or not at all: see [WriteFile].
// Calls that may wait for a pipe or a person go through [Await], so that an interrupt ends them.
package ui
