package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/export"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
)

// exportOptions are the flags of db export.
type exportOptions struct {
	format, where string
	columns       []string
	threads       int
	ui.Printing
}

func (o *exportOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.format, "format", "", "parquet, csv or jsonl (default by the name of the file, csv on standard output)")
	flags.StringVar(&o.where, "where", "", "condition on positions, such as 'value >= draw and distance < 9'")
	flags.StringSliceVar(&o.columns, "columns", nil, "columns, with commas between: "+strings.Join(export.AllColumns, ", ")+" (default the first three, or those that there are)")
	ui.ThreadsFlag(flags, &o.threads, "0", "number of threads")
	o.Flags(flags)
}

func newExport(l plugins) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export DATABASE|GAME [OUT]",
		Short: "Write positions and values as Parquet, CSV or JSON",
		Long: `Export writes a row for each position that is not finished, in the order of indices, into the
file OUT, or to standard output as CSV or JSON. The database is a directory, or that of a game
in its default place, ./GAME.db. A file OUT that exists is replaced when the new one is complete.

--where selects rows: comparisons of value, distance, tier or index by =, !=, <, <=, > or >=,
joined by and. Values are written as query prints them, and are the larger the better they are
for the side to move: 'value >= win in 20' are wins in 20 or less, 'value < draw' are losses.

Positions that the rules decide are not in a database, and not exported. A compact database
takes longer, since its values need the rules of the game.`,
		Example: "  yomikiri db export dobutsu.db wins.parquet --where 'value = win and distance > 99'\n" +
			"  yomikiri db export awari.db --format jsonl --columns index,value,text",
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := ui.LeastArgs(1)(cmd, args); err != nil || len(args) == 2 {
			return err
		}
		return ui.ExactArgs(1)(cmd, args)
	}
	o.addFlags(cmd.Flags())
	var formats []string
	for _, f := range export.Formats {
		formats = append(formats, string(f))
	}
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("columns", completeColumns)
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		n, err := l.database(cmd.Flags(), args[0], "")
		if err != nil {
			return err
		}
		return o.run(cmd, l, n, append(args, "-")[1])
	}
	return cmd
}

// completeColumns completes the last of the columns, with commas between, by one that is not named yet.
func completeColumns(_ *cobra.Command, _ []string, typed string) (list []string, _ cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	named := strings.Split(before, ",")
	for _, name := range export.AllColumns {
		if !slices.Contains(named, name) {
			list = append(list, before+name)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func (o *exportOptions) run(cmd *cobra.Command, l plugins, n named, out string) (err error) {
	format, err := o.formatOf(out)
	if err != nil {
		return ui.Usage(err)
	}
	m, err := store.ReadManifest(nil, n.dir)
	if err != nil {
		return unfinished(cmd, n.dir, err)
	}
	options := export.Options{Format: format, Columns: o.columns, Threads: o.threads, Condition: o.where, By: "yomikiri " + ui.Version()}
	if cmd.Flags().Changed("where") {
		if options.Where, err = export.ParseWhere(o.where, &m.Content); err != nil {
			return ui.Usage(fmt.Errorf("--where: %w", err))
		}
	}
	if options.Columns == nil {
		options.Columns = export.Columns(&m.Content)
	}
	source, closing, err := valuesOf(cmd, l, n, m, options.Columns)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closing()) }()
	if err := source.Check(options.Columns); err != nil {
		return ui.Usage(fmt.Errorf("--columns: %w", err))
	}
	begin := time.Now()
	p := o.Progress(cmd)
	defer p.Done()
	options.Progress = p.Since(begin)
	var rows uint64
	write := func(w io.Writer) error {
		var err error
		rows, err = export.Write(cmd.Context(), w, source, options)
		return err
	}
	if out == "-" {
		return write(ui.AwaitedWriter(cmd.Context(), cmd.OutOrStdout()))
	}
	if err := ui.WriteWith(cmd.Context(), out, write); err != nil {
		if errors.Is(err, context.Canceled) {
			err = ui.Interrupted("interrupted; " + out + " was not written")
		}
		return err
	}
	info, err := os.Stat(out)
	if err != nil {
		return err
	}
	p.Done()
	e := exported{m.Content.Game, n.dir, out, string(format), options.Columns, o.where, rows, info.Size(), time.Since(begin).Seconds()}
	return o.Result(cmd, e, e.text(o.threads))
}

// formatOf returns the format of the file out.
func (o *exportOptions) formatOf(out string) (export.Format, error) {
	format := export.Format(o.format)
	switch {
	case out == "-" && o.JSON:
		return "", errors.New("--json prints what was written to a file: name the file, or write rows by --format jsonl")
	case o.format == "" && out == "-":
		return export.CSV, nil
	case o.format == "":
		if format = export.Format(strings.TrimPrefix(strings.ToLower(filepath.Ext(out)), ".")); !slices.Contains(export.Formats, format) {
			return "", fmt.Errorf("%s: the name does not end with .parquet, .csv or .jsonl: say the format by --format", out)
		}
	case !slices.Contains(export.Formats, format):
		return "", fmt.Errorf("--format %q: want parquet, csv or jsonl", o.format)
	}
	if out == "-" {
		if format == export.Parquet {
			return "", errors.New("--format parquet: name a file to write")
		}
		return format, nil
	}
	if err := ui.CheckOutput(out, false); err != nil {
		return "", err
	}
	return format, nil
}

// valuesOf opens a database for reading all of it, and its game if the rules are needed.
func valuesOf(cmd *cobra.Command, l plugins, n named, m *db.Manifest, columns []string) (*export.Source, func() error, error) {
	s := &export.Source{Manifest: m}
	if !m.Content.IsCompact() && !export.NeedsRules(columns) {
		d, err := store.Open(n.dir, nil)
		if err != nil {
			return nil, nil, err
		}
		s.Block = func(_ context.Context, tier int, block uint64) ([]byte, error) { return d.Block(tier, block) }
		return s, d.Close, nil
	}
	g, _, err := l.openDirectory(cmd, n.dir)
	if err != nil {
		return nil, nil, err
	}
	d, err := openDatabase(cmd, g, n.dir)
	if err != nil {
		return nil, nil, err
	}
	s.Block = d.Block
	s.AppendText = func(dst []byte, index uint64) []byte {
		p, _ := g.At(index) // there is one, since it has a value
		return g.AppendPosition(dst, p)
	}
	if describer, ok := games.As[games.Describer[app.Position, app.Move]](g.Board); ok {
		s.Boards = export.NewBoards(describer.Layout(), func(index uint64) games.Board {
			p, _ := g.At(index)
			return describer.Board(p)
		})
	}
	return s, d.Close, nil
}

// exported is what db export has written.
type exported struct {
	Game     string   `json:"game"`
	Database string   `json:"database"`
	File     string   `json:"file"`
	Format   string   `json:"format"`
	Columns  []string `json:"columns"`
	Where    string   `json:"where,omitempty"`
	Rows     uint64   `json:"rows"`
	Bytes    int64    `json:"bytes"`
	Seconds  float64  `json:"seconds"`
}

func (e *exported) text(threads int) string {
	var b ui.Table
	b.Line("game", "%s", e.Game)
	b.Line("rows", "%s", ui.Grouped(e.Rows))
	b.Line("columns", "%s", strings.Join(e.Columns, ", "))
	b.Line("file", "%s, %s bytes", e.File, ui.Grouped(uint64(e.Bytes)))
	b.Line("time", "%.1f s, %s", e.Seconds, ui.Counted(uint64(threads), "thread"))
	return b.String()
}
