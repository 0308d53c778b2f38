package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/stretchr/testify/require"
)

// TestHelp compares the help of all commands with a golden file, which the flag
// -update rewrites.
func TestHelp(t *testing.T) {
	const golden = "testdata/help.golden"
	got := helpOf(t, nil)
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	if got != string(want) { // too long to be printed whole
		t.Errorf("%s", diff.Diff(golden, want, "help", []byte(got)))
	}
}

var listed = regexp.MustCompile(`(?m)^  (\S+) `)

// helpOf returns the help of a command and of those below it.
func helpOf(t *testing.T, command []string) string {
	var stdout, stderr bytes.Buffer
	require.Equal(t, 0, run(context.Background(), append([]string{"help"}, command...), &stdout, &stderr), &stderr)
	text := fmt.Sprintf("== %s\n\n%s\n", strings.Join(append([]string{"yomikiri"}, command...), " "), &stdout)
	_, below, _ := strings.Cut(stdout.String(), "Available Commands:\n")
	below, _, _ = strings.Cut(below, "\n\n")
	for _, m := range listed.FindAllStringSubmatch(below, -1) {
		if m[1] != "completion" && m[1] != "help" { // of the library for commands
			text += helpOf(t, append(command[:len(command):len(command)], m[1]))
		}
	}
	return text
}

// TestLayout compares the section on the layout in CONTRIBUTING.md with the folders: each
// folder with Go code at the first two levels is there, and each that is there exists.
func TestLayout(t *testing.T) {
	const root = "../../"
	page, err := os.ReadFile(root + "CONTRIBUTING.md")
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(page), "\n## Layout\n")
	require.True(t, ok)
	_, section, _ = strings.Cut(section, "```\n")
	section, _, _ = strings.Cut(section, "```")
	var described []string
	var above []string // by depth
	for _, line := range strings.Split(strings.TrimRight(section, "\n"), "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		above = above[:min(indent/2, len(above))]
		for _, name := range regexp.MustCompile(`^ *(\S+/)( \S+/)*`).FindAllString(line, 1) {
			names := strings.Fields(name)
			for _, n := range names {
				described = append(described, strings.Join(above, "")+n)
			}
			above = append(above, names[len(names)-1])
		}
	}
	require.NotEmpty(t, described)
	for _, name := range described {
		info, err := os.Stat(root + name)
		require.NoError(t, err, "CONTRIBUTING.md describes %s", name)
		require.True(t, info.IsDir(), name)
	}
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	check := func(folder string) {
		require.Contains(t, described, folder+"/", "CONTRIBUTING.md does not describe this folder")
	}
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") || !hasCode(t, root+e.Name()) { // such as a database
			continue
		}
		check(e.Name())
		below, err := os.ReadDir(root + e.Name())
		require.NoError(t, err)
		for _, b := range below {
			if b.IsDir() && b.Name() != "testdata" && b.Name() != "internal" && hasCode(t, root+e.Name()+"/"+b.Name()) {
				check(e.Name() + "/" + b.Name())
			}
		}
	}
}

// hasCode reports whether there is Go code in a folder or below it.
func hasCode(t *testing.T, folder string) bool {
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") || e.IsDir() && e.Name() != "testdata" && hasCode(t, folder+"/"+e.Name()) {
			return true
		}
	}
	return false
}

// TestFirstQuery repeats the first commands of the README and compares what they print.
func TestFirstQuery(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	const query = "$ ./yomikiri query dobutsu --size 3x3 startpos\n"
	_, shown, ok := strings.Cut(string(readme), query)
	require.True(t, ok, "the README has %q", query)
	shown, _, _ = strings.Cut(shown, "```")
	t.Chdir(t.TempDir())
	var stdout, stderr bytes.Buffer
	require.Equal(t, 0, run(context.Background(), []string{"solve", "dobutsu", "--size", "3x3"}, &stdout, &stderr), &stderr)
	stdout.Reset()
	require.Equal(t, 0, run(context.Background(), []string{"query", "dobutsu", "--size", "3x3", "startpos"}, &stdout, &stderr), &stderr)
	require.Equal(t, shown, stdout.String())
}

// anchor returns the anchor of a heading.
func anchor(heading string) string {
	heading = regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(heading), "")
	return strings.ReplaceAll(heading, " ", "-")
}

// TestLinks follows the links between the pages: the file and the heading are there.
func TestLinks(t *testing.T) {
	const root = "../../"
	pages, err := filepath.Glob(root + "docs/*.md")
	require.NoError(t, err)
	pages = append(pages, root+"README.md", root+"CONTRIBUTING.md", root+"CHANGELOG.md")
	headings := map[string][]string{}
	link := regexp.MustCompile(`\]\(([^)\s]*)\)`)
	heading := regexp.MustCompile(`(?m)^#+ (.*)$`)
	text := func(page string) string {
		b, err := os.ReadFile(page)
		require.NoError(t, err)
		return string(b)
	}
	for _, page := range pages {
		for _, h := range heading.FindAllStringSubmatch(text(page), -1) {
			headings[page] = append(headings[page], anchor(h[1]))
		}
	}
	for _, page := range pages {
		for _, l := range link.FindAllStringSubmatch(text(page), -1) {
			name, place, _ := strings.Cut(l[1], "#")
			if strings.Contains(name, "://") {
				continue
			}
			to := page
			if name != "" {
				to = filepath.Join(filepath.Dir(page), name)
				require.FileExists(t, to, "%s links to %s", page, l[1])
			}
			if place != "" {
				require.Contains(t, headings[to], place, "%s links to %s", page, l[1])
			}
		}
	}
}
