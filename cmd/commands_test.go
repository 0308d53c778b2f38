package cmd

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yomikiri/yomikiri/cmd/standard"
	"github.com/yomikiri/yomikiri/cmd/ui"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// newProgram returns the command with all games, as yomikiri has them.
func newProgram(t *testing.T, out io.Writer) *cobra.Command {
	root, err := newRoot("yomikiri", standard.Games, nil, ui.NewOutput(out))
	require.NoError(t, err)
	return root
}

// commandsOf returns the commands of a program that do something, without those of the library.
func commandsOf(c *cobra.Command) (list []*cobra.Command) {
	for _, sub := range c.Commands() {
		switch {
		case sub.Name() == "help" || sub.Name() == "completion":
		case sub.HasSubCommands():
			list = append(list, commandsOf(sub)...)
		default:
			list = append(list, sub)
		}
	}
	return list
}

// pages returns the text of files.
func pages(t *testing.T, patterns ...string) string {
	var all strings.Builder
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			all.Write(text)
		}
	}
	return all.String()
}

// TestCommands says what a new command lacks.
func TestCommands(t *testing.T) {
	docs, scripts := pages(t, "../README.md", "../docs/*.md"), pages(t, "yomikiri/testdata/script/*.txtar")
	json := pages(t, "../docs/json.md")
	root := newProgram(t, io.Discard)
	troubled := map[string]bool{}
	for _, c := range troubles {
		for _, line := range c.lines {
			if used, _, err := root.Find(strings.Fields(line)); err == nil {
				troubled[used.CommandPath()] = true
			}
		}
	}
	var lacking []string
	for _, c := range commandsOf(root) {
		path := c.CommandPath()
		name := strings.TrimPrefix(path, "yomikiri ")
		named := regexp.MustCompile("(?:yomikiri |`)" + name + `\b`)
		for lack, has := range map[string]bool{
			"a mention in README.md or docs":               named.MatchString(docs),
			"a script in cmd/yomikiri/testdata/script":     named.MatchString(scripts),
			"a line in the troubles of exit_test.go":       troubled[path],
			"a section in docs/json.md, as it has --json":  c.Flags().Lookup("json") == nil || regexp.MustCompile(`(?m)^## (.*, )?`+name+`(,|$)`).MatchString(json),
			"an example that it takes, with its arguments": takesExamples(t, c),
		} {
			if !has {
				lacking = append(lacking, path+": "+lack)
			}
		}
	}
	slices.Sort(lacking)
	require.Empty(t, lacking, strings.Join(lacking, "\n"))
}

var shellWord = regexp.MustCompile(`(?:'[^']*'|[^\s'])+`)

// takesExamples reports whether a command has examples, and a program takes the flags and arguments of each.
func takesExamples(t *testing.T, of *cobra.Command) bool {
	own := false
	for line := range strings.Lines(of.Example) {
		_, line, ok := strings.Cut(line, "yomikiri ")
		if !ok { // another program
			continue
		}
		line, _, _ = strings.Cut(line, " <") // standard input
		words := shellWord.FindAllString(line, -1)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "'", "")
		}
		c, rest, err := newProgram(t, io.Discard).Find(words)
		if err != nil || c.ParseFlags(rest) != nil || c.ValidateArgs(c.Flags().Args()) != nil {
			return false
		}
		own = own || c.CommandPath() == of.CommandPath()
	}
	return own
}
