package ui

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri"
)

// TestManual compares a page that has all that the texts of commands have.
func TestManual(t *testing.T) {
	run := func(*cobra.Command, []string) {}
	root := &cobra.Command{Use: "count", Short: "Count things"}
	root.PersistentFlags().Bool("loud", false, "say it loud")
	sub := &cobra.Command{
		Use: "sheep FLOCK", Short: "Count sheep - or goats", Run: run, Example: "  count sheep all\n  count sheep 'a\\b'",
		Long: "Sheep are counted\none by one.\n\n  fast    all at\n          once\n  slow    'one' by one\n.wool is left out.\n\nAs in\n\n    1 2 3\n    4",
	}
	sub.Flags().IntP("legs", "l", 4, "number of `legs`")
	hidden := sub.Flags().Bool("dogs", false, "and dogs")
	require.NoError(t, sub.Flags().MarkHidden("dogs"))
	require.False(t, *hidden)
	root.AddCommand(sub, &cobra.Command{Use: "man", Hidden: true, Run: run})
	dir := t.TempDir()
	require.NoError(t, WriteManual(root, dir))
	pages, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, pages, 2)
	page, err := os.ReadFile(filepath.Join(dir, "count-sheep.1"))
	require.NoError(t, err)
	require.Equal(t, `.TH COUNT\-SHEEP 1 "" "count `+yomikiri.Version+`"
.SH NAME
count\-sheep \- Count sheep \- or goats
.SH SYNOPSIS
count sheep FLOCK [flags]
.SH DESCRIPTION
Sheep are counted
one by one.
.PP
.TP
\fBfast\fP
all at
once
.TP
\fBslow\fP
\&'one' by one
.PP
\&.wool is left out.
.PP
As in
.PP
.PP
.nf
    1 2 3
    4
.fi
.SH OPTIONS
.TP
\fB\-h, \-\-help\fP
help for sheep
.TP
\fB\-l, \-\-legs legs\fP
number of legs (default 4)
.SH GLOBAL OPTIONS
.TP
\fB\-\-loud\fP
say it loud
.SH EXAMPLES
.nf
  count sheep all
  count sheep 'a\eb'
.fi
.SH SEE ALSO
\fBcount\fP(1)
`, string(page))
}
