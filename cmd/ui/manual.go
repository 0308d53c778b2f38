package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri"
)

// WriteManual writes a manual page for a command, and for each below it, into a directory. The pages depend on nothing
// but the commands. The library for commands could write them too, but brings one for Markdown into the program.
func WriteManual(c *cobra.Command, dir string) error {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	if err := os.WriteFile(filepath.Join(dir, pageName(c)+".1"), []byte(manualPage(c)), 0o644); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			if err := WriteManual(sub, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manualPage returns the page of a command in the language of man.
func manualPage(c *cobra.Command) string {
	var b strings.Builder
	section := func(name string) { fmt.Fprintf(&b, ".SH %s\n", name) }
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"%s %s\"\n", roff(strings.ToUpper(pageName(c))), roff(c.Root().Name()), yomikiri.Version)
	section("NAME")
	fmt.Fprintf(&b, "%s \\- %s\n", roff(pageName(c)), roff(c.Short))
	section("SYNOPSIS")
	fmt.Fprintf(&b, "%s\n", roff(c.UseLine()))
	if c.Long != "" {
		section("DESCRIPTION")
		b.WriteString(description(c.Long))
	}
	flags := func(name string, set *pflag.FlagSet) {
		if !set.HasAvailableFlags() {
			return
		}
		section(name)
		set.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				written, usage := flagText(f)
				item(&b, written, usage)
			}
		})
	}
	flags("OPTIONS", c.LocalFlags())
	flags("GLOBAL OPTIONS", c.InheritedFlags())
	if c.HasExample() {
		section("EXAMPLES")
		fmt.Fprintf(&b, ".nf\n%s\n.fi\n", roff(c.Example))
	}
	if see := related(c); see != "" {
		section("SEE ALSO")
		b.WriteString(see + "\n")
	}
	return b.String()
}

// related names the pages of the command above c and of those below it.
func related(c *cobra.Command) string {
	var pages []string
	page := func(c *cobra.Command) { pages = append(pages, fmt.Sprintf("\\fB%s\\fP(1)", roff(pageName(c)))) }
	if c.HasParent() {
		page(c.Parent())
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			page(sub)
		}
	}
	return strings.Join(pages, ",\n")
}

// flagText returns how a flag is written, and what it means.
func flagText(f *pflag.Flag) (written, usage string) {
	alone := pflag.NewFlagSet("", pflag.ContinueOnError)
	alone.AddFlag(f)
	text := strings.TrimSpace(alone.FlagUsages()) // with the default value
	written, usage, _ = strings.Cut(text, "   ")
	return written, strings.Join(strings.Fields(usage), " ")
}

// item adds a term and what it means.
func item(b *strings.Builder, term, meaning string) {
	fmt.Fprintf(b, ".TP\n\\fB%s\\fP\n%s\n", roff(term), roff(meaning))
}

// description returns a text as help has it: paragraphs, lists, and other lines that are indented, which remain as they are.
func description(text string) string {
	var b strings.Builder
	hang, as := 0, false // of a list; whether lines remain as they are
	begin := func(line string, indent int) {
		kept := indent > 0 && (hang == 0 || indent < hang) && listItem.FindString(line) == ""
		if kept != as {
			b.WriteString(map[bool]string{true: ".PP\n.nf\n", false: ".fi\n"}[kept])
			as = kept
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		words := strings.TrimLeft(line, " \t")
		indent := len(line) - len(words)
		switch {
		case line == "":
			begin("", 0)
			b.WriteString(".PP\n")
			hang = 0
			continue
		case indent == 0 && hang > 0:
			b.WriteString(".PP\n")
			hang = 0
		}
		begin(line, indent)
		if m := listItem.FindStringSubmatch(line); m != nil {
			hang = len(m[1])
			item(&b, strings.TrimSpace(m[1]), line[hang:])
			continue
		}
		if as {
			words = line
		}
		b.WriteString(roff(words) + "\n")
	}
	begin("", 0)
	return b.String()
}

// roff escapes what means something in the language of man.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
