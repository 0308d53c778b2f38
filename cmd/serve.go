package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/server"
)

// serveOptions are the flags of serve.
type serveOptions struct {
	listen, origin string
	hosts          []string
	weights        []string
	books          []string
	puzzles        []string
	limits         server.Limits
}

func (o *serveOptions) addFlags(flags *pflag.FlagSet) {
	ui.AddressFlag(flags, &o.listen, "listen", "127.0.0.1:8080", "address to listen on; without a host, such as :8080, other machines can connect too")
	ui.OriginFlag(flags, &o.origin, "cors", "origin of web pages elsewhere that may read answers, or * for all")
	flags.StringSliceVar(&o.hosts, "host", nil, "host `name` to answer beside localhost if only this machine can connect, as behind a reverse proxy")
	flags.StringSliceVar(&o.weights, "weights", nil, "`files` of weights, as train writes them, each instead of those of its game")
	flags.StringSliceVar(&o.books, "book", nil, "`files` of opening books, as train writes them, by which opponents play")
	flags.StringSliceVar(&o.puzzles, "puzzles", nil, "`files` of puzzles, as puzzles writes them, with which the page trains")
	ui.TimeFlag(flags, &o.limits.SearchTime, "search-time", "10s", "time limit for a search that is asked for")
	flags.Uint64Var(&o.limits.SearchNodes, "search-nodes", 0, "node limit for a search; 0 for none")
	ui.MemoryFlag(flags, &o.limits.SearchMemory, "search-memory", "64MiB", "memory for the tables of a search")
	ui.NumberFlag(flags, &o.limits.Searches, "searches", 0, 0, 1024, "searches at a time; 0 for one on each processor")
}

func newServe(l plugins) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve [DATABASE|GAME|PROOF ...]",
		Short: "Show solved games in a browser, with an HTTP API",
		Long: `Serve answers over HTTP what query answers, and shows it in a browser: databases, which
are directories or those of games in their default places, ./GAME.db, and proof files,
through which one can walk move by move. What is found by search, such as mates, needs no
argument. Every game with an evaluation has an opponent, from beginner to strong, with or without
a database. Only programs on this machine can connect unless --listen says otherwise. See
docs/api.md for the API.

Once it runs, serve compares databases with their checksums and with the record of yomikiri
verify, and checks proofs. It calls nothing proven before. Then opponents and the review of games know
what the proofs know. What is damaged is listed as such, and the rest is served. The positions of a proof about
points cannot be seen.`,
		Example: "  yomikiri serve dobutsu.db awari.db\n" +
			"  yomikiri serve checkers shogi\n" +
			"  yomikiri serve dobutsu.db win.proof --listen :8080 --cors https://example.com",
		Args: ui.AnyArgs,
	}
	o.addFlags(cmd.Flags())
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return o.run(cmd, l, args) }
	return cmd
}

func (o *serveOptions) run(cmd *cobra.Command, l plugins, args []string) (err error) {
	if o.limits.SearchTime == 0 {
		return ui.Usage(errors.New("--search-time 0: want a time above 0"))
	}
	w, err := readServedWeights(o.weights)
	if err != nil {
		return err
	}
	books, err := readServedBooks(o.books)
	if err != nil {
		return err
	}
	puzzles, err := readServedPuzzles(o.puzzles)
	if err != nil {
		return err
	}
	x := &offer{cmd: cmd, games: l, several: len(args) > 1, files: &servedFiles{servedWeights: w, servedBooks: books, servedPuzzles: puzzles}, databases: map[string]string{}}
	x.cfg = server.Config{
		Version: cmd.Root().Version, Origin: o.origin, Hosts: o.hosts, Limits: o.limits, Log: slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil)),
	}
	defer func() {
		if errors.Is(err, server.ErrCutOff) {
			return // they are in use
		}
		for _, c := range x.open {
			err = errors.Join(err, c.Close())
		}
	}()
	if err := oneGame(cmd, args); err != nil {
		return err
	}
	for _, arg := range args {
		if err := x.add(arg); err != nil {
			return err
		}
	}
	for _, path := range x.proofs { // now that all databases are known
		if err := x.addProof(path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := x.addSearches(); err != nil {
		return err
	}
	if err := errors.Join(x.files.unused(), x.files.unread(), x.files.unserved()); err != nil {
		return err
	}
	if len(args) == 0 && len(x.cfg.Searches) == 0 {
		return ui.Usage(fmt.Errorf("nothing to serve: name a game, a database or a proof file; usage: %s", cmd.UseLine()))
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return err
	}
	address, ok := listener.Addr().(*net.TCPAddr)
	x.cfg.Loopback = ok && address.IP.IsLoopback()
	s, err := server.New(x.cfg)
	if err != nil {
		return ui.Usage(errors.Join(err, listener.Close()))
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "serving on http://%s\n", listener.Addr())
	return s.Serve(cmd.Context(), listener)
}

// oneGame refuses rule options that are flags unless one game is named.
func oneGame(cmd *cobra.Command, args []string) error {
	name := "GAME"
	if len(args) > 0 {
		name = args[0]
	}
	if spec := ui.WithRules(cmd.Flags(), name); spec != name && len(args) != 1 {
		return ui.Usage(fmt.Errorf("rule options as flags are for one game, not for %d arguments: write %s", len(args), spec))
	}
	return nil
}

// offer is what is to be served.
type offer struct {
	cmd     *cobra.Command
	games   plugins
	several bool // things are named
	files   *servedFiles
	cfg     server.Config
	open    []io.Closer

	names     []string // of files and directories
	infos     []os.FileInfo
	databases map[string]string // directories by checksum
	proofs    []string          // paths
}

// add adds what an argument names; a proof is opened later.
func (x *offer) add(arg string) error {
	n, err := x.games.database(x.cmd.Flags(), arg, "")
	if err != nil {
		return err
	}
	path := n.dir
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		f, err := x.games.withoutDatabase(x.cmd, ui.WithRules(x.cmd.Flags(), arg), path, x.files)
		if err == nil {
			x.cfg.Searches = append(x.cfg.Searches, f)
		}
		return err
	}
	if err != nil {
		return err
	}
	if before := slices.IndexFunc(x.infos, func(other os.FileInfo) bool { return os.SameFile(info, other) }); before >= 0 {
		return ui.Usage(fmt.Errorf("%s and %s are the same: name it once", x.names[before], arg))
	}
	x.names, x.infos = append(x.names, arg), append(x.infos, info)
	switch {
	case info.IsDir(), store.IsPacked(nil, path):
		return x.addDatabase(path, path != arg)
	case !info.Mode().IsRegular():
		return ui.Usage(fmt.Errorf("%s is neither a directory nor a regular file (%v): want a database or a proof file", arg, info.Mode().Type()))
	}
	x.proofs = append(x.proofs, arg)
	return nil
}

// addDatabase adds a database, or says that it is damaged. Named says that the user has named its game.
func (x *offer) addDatabase(dir string, named bool) error {
	d, err := x.games.openServed(x.cmd, dir, named, x.files)
	if errors.Is(err, db.ErrCorrupt) {
		u, checksum := unopened(dir, err)
		x.cfg.Unopened, x.databases[checksum] = append(x.cfg.Unopened, u), dir
		return nil
	}
	if err != nil {
		return err
	}
	x.cfg.Databases, x.open = append(x.cfg.Databases, d), append(x.open, d)
	x.databases[d.Game().Checksum] = dir
	return nil
}

// addProof adds a proof, or says that it is damaged.
func (x *offer) addProof(path string) error {
	p, err := x.games.openProof(x.cmd, path, x.databases, x.files)
	// What is no proof, or one of another version, may be a proof whose beginning is damaged. It does
	// not keep other things from being served.
	if x.several && (errors.Is(err, proof.ErrNotProof) || errors.Is(err, proof.ErrVersion)) {
		err = fmt.Errorf("%w: %w", proof.ErrRefused, err)
	}
	if errors.Is(err, proof.ErrCorrupt) || errors.Is(err, proof.ErrRefused) || errors.Is(err, db.ErrCorrupt) {
		x.cfg.Unopened = append(x.cfg.Unopened, server.Unopened{Kind: "proof", Name: filepath.Base(path), Err: err})
		return nil
	}
	if err != nil {
		return err
	}
	x.cfg.Proofs, x.open = append(x.cfg.Proofs, p), append(x.open, p)
	return nil
}

// addSearches adds the searches of all games that are not there yet. Variants have none.
func (x *offer) addSearches() error {
	for i := range x.games {
		if x.games[i].Variant {
			continue
		}
		g, err := x.games.open(x.games[i].Name)
		if err != nil {
			return err
		}
		f, err := x.games.search(g, false, x.files)
		if err != nil {
			return err
		}
		named := func(other server.Search) bool { return other.Game().Name == f.Game().Name }
		if f != nil && !slices.ContainsFunc(x.cfg.Searches, named) {
			x.cfg.Searches = append(x.cfg.Searches, f)
		}
	}
	return nil
}

// unopened returns the entry of a damaged database, and its checksum: by the name of its game, or that
// of its directory if the manifest is damaged.
func unopened(dir string, err error) (u server.Unopened, checksum string) {
	u = server.Unopened{Kind: "database", Name: filepath.Base(filepath.Clean(dir)), Err: err}
	if m, e := store.ReadManifest(nil, dir); e == nil {
		u.Name, checksum = m.Content.Game, m.Checksum
	}
	return u, checksum
}

// openProof opens a proof file, which names its game. If the proof rests on a database,
// that must be served too, and opponents do not hear of it, since nobody would say what it rests on.
func (l plugins) openProof(cmd *cobra.Command, path string, databases map[string]string, w *servedFiles) (p server.Proof, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	graph, err := proof.OpenGraph(cmd.Context(), f, info.Size())
	if err != nil {
		return nil, err
	}
	h := graph.Header()
	dir := databases[h.Database]
	if h.Database != "" && dir == "" {
		return nil, ui.Usage(fmt.Errorf("it rests on a database with the checksum %s: name its directory too", h.Database))
	}
	ctx, fail := context.WithCancelCause(cmd.Context())
	g, done, err := l.openProven(cmd, &h, dir, fail)
	if err != nil {
		fail(nil)
		return nil, err
	}
	graph.Rename(g.Name())
	src := server.ProofSource{
		Name: filepath.Base(f.Name()), File: f, Graph: graph, Game: g,
		Done: func() error {
			defer fail(nil)
			return done()
		},
		Err: func() error { return failed(ctx) },
		Check: func(ctx context.Context, r *proof.Reader) error {
			check := func(node func(proof.Claim, *proof.Node)) error {
				_, err := g.Check(ctx, r, proof.CheckOptions{Node: node})
				return err
			}
			if h.Database != "" {
				return check(nil)
			}
			return w.proven(g).Add(check)
		},
	}
	if g.CertificateLine != nil {
		src.CertificateLine = func(ctx context.Context, position string, certificate []byte) ([]string, error) {
			return g.CertificateLine(ctx, graph.Header().Game, position, certificate)
		}
	}
	return server.NewProof(src)
}

// withoutDatabase returns a game without a database, which is played by its evaluation. It fails
// if arg is not the name of a game, or the game has no evaluation.
func (l plugins) withoutDatabase(cmd *cobra.Command, arg, path string, w *servedFiles) (server.Search, error) {
	_, _, missing := l.openDirectory(cmd, path)
	g, err := l.open(arg)
	if err != nil {
		return nil, missing
	}
	f, err := l.search(g, true, w)
	switch {
	case errors.Is(err, play.ErrNoFeatures):
		return nil, fmt.Errorf("%w, and %w", missing, err)
	case err == nil:
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: there is no database %s, so moves are judged by a search\n", arg, path)
	}
	return f, err
}

// search returns the search that the game has beside its engines, nil if there is none. If the game
// is to be played, it returns the game, with that search if it has the game's name, and fails with
// [play.ErrNoFeatures] if there is no evaluation.
func (l plugins) search(g *app.Game, played bool, w *servedFiles) (server.Search, error) {
	s := g.Finder
	if s == nil && !played {
		return nil, nil
	}
	src := server.SearchSource{
		Name: g.Name(), Title: g.Family.Title, Game: g, Proofs: w.proven(g),
		With: func(spec string) (server.Search, error) {
			g, err := l.open(spec)
			if err != nil {
				return nil, err
			}
			return l.search(g, played, w)
		},
	}
	own := s != nil && s.Name == g.Family.Name
	if own || !played {
		src.Title, src.Finder = s.Title, s
	}
	var err error
	if own || played {
		src.Evaluation, err = w.of(g)
	} else {
		src.Name = s.Name
	}
	if err == nil && src.Evaluation != nil {
		src.Book, err = w.opening(g)
	}
	if err != nil && (played || !errors.Is(err, play.ErrNoFeatures)) {
		return nil, err
	}
	return server.NewSearch(src), nil
}

// openServed opens a database, which names its game. If the user has named the game instead, the whole
// game is served too.
func (l plugins) openServed(cmd *cobra.Command, dir string, named bool, w *servedFiles) (server.Database, error) {
	g, _, err := l.openDirectory(cmd, dir)
	if err != nil {
		return nil, err
	}
	d, err := openDatabase(cmd, g, dir)
	if err != nil {
		return nil, err
	}
	src := server.Source{Game: g, Name: filepath.Base(filepath.Clean(dir)), Named: named, Database: d, Proofs: w.proven(g.Asked)}
	if src.Evaluation, err = w.of(g.Asked); err == nil {
		src.Book, err = w.opening(g.Asked)
	}
	if err == nil || errors.Is(err, play.ErrNoFeatures) {
		src.Puzzles, err = w.training(g, d)
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return server.NewDatabase(src), nil
}
