package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

// Main runs the command of this process with the games of a list, and ends the
// process.
func Main(games ...Plugin) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(Run(ctx, os.Args, Stdio{os.Stdin, ui.Stdout(), os.Stderr}, games...))
}

// Stdio is where a command reads and writes.
type Stdio struct {
	In       io.Reader
	Out, Err io.Writer
}

// Run runs a command with the games of a list and returns its exit code. The arguments
// begin with the name of the program, as in [os.Args]. Run fails, whatever the command, if
// a game is listed twice, if a rule option has the name of a flag of a command, or if
// results could not be written.
//
// Managers of tournaments and GUIs start programs without arguments. So a program that is
// called like the engines of a protocol, such as pbrain-yomikiri, yomikiri-uci or yomikiri-usi,
// then runs the command gomocup, uci or usi.
func Run(ctx context.Context, args []string, stdio Stdio, games ...Plugin) int {
	limit := debug.SetMemoryLimit(-1) // a command may set another; the next one in this process does not need it
	defer debug.SetMemoryLimit(limit)
	name := strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	out := ui.NewOutput(stdio.Out)
	list, refused, err := withVariants(games, args[1:])
	var root *cobra.Command
	if err == nil {
		root, err = newRoot(name, list, refused, out)
	}
	if args = args[1:]; err == nil {
		if len(args) == 0 {
			args = engine(root, name)
		}
		err = checkCommand(root, args)
	}
	if err == nil {
		root.SetArgs(args)
		root.SetIn(stdio.In)
		root.SetErr(stdio.Err)
		err = root.ExecuteContext(ctx)
	}
	if lost := out.Err(); lost != nil { // then the command has failed, whatever it found
		if err == nil || errors.Is(err, lost) {
			err = lost
		} else {
			err = fmt.Errorf("%w; %s", lost, ui.Message(err))
		}
	}
	if err == nil {
		return ui.ExitOK
	}
	fmt.Fprintf(stdio.Err, "%s %s\n", out.PaintOf(stdio.Err).Bad(name+":"), ui.Message(err))
	return ui.ExitCode(err)
}

// engine returns the command, if it exists, for the protocol that the name of the program
// stands for.
func engine(root *cobra.Command, name string) []string {
	for _, p := range []struct {
		command string
		name    *regexp.Regexp
	}{
		{"gomocup", regexp.MustCompile(`(?i)^pbrain-`)},
		{"uci", regexp.MustCompile(`(?i)(^|[-_])uci([-_.]|$)`)},
		{"usi", regexp.MustCompile(`(?i)(^|[-_])usi([-_.]|$)`)},
	} {
		if c, _, err := root.Find([]string{p.command}); p.name.MatchString(name) && err == nil && c != root {
			return []string{p.command}
		}
	}
	return []string{}
}

func newRoot(name string, l plugins, refused []ui.Refused, out *ui.Output) (*cobra.Command, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	root := &cobra.Command{
		Use:   "yomikiri",
		Short: "Solve games, query solved ones, verify the result",
		Long: `yomikiri solves small games. It finds the value of every position by retrograde
analysis and keeps the values in a database, or proves the value of one position by
proof-number search.

  yomikiri games                list the games
  yomikiri solve GAME           solve a game into ./GAME.db
  yomikiri query GAME startpos  value, moves best first, best line
  yomikiri play GAME            play against the database
  yomikiri verify GAME.db       derive every value again
  yomikiri prove GAME           prove one position
  yomikiri check FILE           check a proof by the rules alone

Exit codes: 0 answered; 1 failure; 2 bad usage or input; 3 answer unknown;
4 verification failed or data damaged; 5 internal error, a search contradicts itself;
130 interrupted.`,
		Version:       ui.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          ui.ShowHelp,

		PersistentPreRunE: ui.CheckFlags,
	}
	root.SetOut(out) // now, since the completion command keeps it
	root.SetFlagErrorFunc(ui.FlagError)
	root.SetUsageFunc(ui.ShowUsage)
	root.AddCommand(newSolve(l), newNode(l), newQuery(l), newPlay(l), newServe(l), newVerify(l), newStats(l), newPuzzles(l), newDB(l), newPublish(l), newProve(l), newTree(l), newWork(l), newCheck(l), newAnalyze(l), newMatch(l), newTrain(l), newUCI(l), newGames(l, refused), newBench(l), newMan())
	for _, p := range l {
		for _, command := range p.Commands {
			root.AddCommand(command())
		}
	}
	if l.variants() {
		root.PersistentFlags().StringArray(variantsFlag, nil, "read more games from a `file` in the form of variants.ini;\nalso from those that $"+variantsEnv+" lists")
	}
	out.ColourFlag(root)
	l.ownExamples(root)
	if name != root.Name() {
		rename(root, name)
	}
	show := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Long = ui.WrappedText(c.Long, ui.Columns(out))
		show(c, args)
	})
	if err := ui.CheckRuleFlags(root); err != nil {
		return nil, err
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Run, cmd.RunE = nil, help
		case "completion":
			cmd.Args = ui.NoArgs
			cmd.RunE = ui.ShowHelp
			for _, shell := range cmd.Commands() {
				shell.Args = ui.NoArgs
				if shell.Name() == "bash" {
					shell.RunE = completeBash
				}
			}
		}
	}
	return root, nil
}

// completeBash writes the script of the library. That takes the part of a word before its last colon away from completions, and
// then that before its last =, in which the colon is missing by now. In rule options a = comes after the colon, so it goes first.
func completeBash(cmd *cobra.Command, _ []string) error {
	var script bytes.Buffer
	bare, err := cmd.Flags().GetBool("no-descriptions")
	if err == nil {
		err = cmd.Root().GenBashCompletionV2(&script, !bare)
	}
	if err != nil {
		return err
	}
	special := regexp.MustCompile(`(?m)^( *__\S+_handle_special_char "\$cur" ):\n( *__\S+_handle_special_char "\$cur" )=$`)
	_, err = cmd.OutOrStdout().Write(special.ReplaceAll(script.Bytes(), []byte("${1}=\n${2}:")))
	return err
}

// rename makes the texts of a command and those below it name the program as the user does.
func rename(c *cobra.Command, name string) {
	for _, text := range []*string{&c.Use, &c.Long, &c.Example} {
		*text = programName.ReplaceAllString(*text, name)
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) { f.Usage = programName.ReplaceAllString(f.Usage, name) })
	for _, sub := range c.Commands() {
		rename(sub, name)
	}
}

var programName = regexp.MustCompile(`\byomikiri\b`)

// help shows the help of a command, which must exist.
func help(cmd *cobra.Command, args []string) error {
	asked, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return ui.NoCommand(asked, strings.Join(rest, " "))
	}
	asked.InitDefaultHelpFlag()
	asked.InitDefaultVersionFlag()
	return asked.Help()
}

// checkCommand fails if the arguments name a command that does not exist, even if they
// ask for help too.
func checkCommand(root *cobra.Command, args []string) error {
	asked, rest, _ := root.Find(args)
	if !asked.HasSubCommands() {
		return nil
	}
	value := false // of the flag before
	for _, arg := range rest {
		switch {
		case strings.HasPrefix(arg, cobra.ShellCompRequestCmd): // a shell asks for a completion
			return nil
		case value:
			value = false
		case strings.HasPrefix(arg, "-"):
			f := root.PersistentFlags().Lookup(strings.TrimPrefix(arg, "--"))
			value = f != nil && f.NoOptDefVal == ""
		default:
			return ui.NoCommand(asked, arg)
		}
	}
	return nil
}
