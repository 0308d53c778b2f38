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

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/server"
)

func newServe(l plugins) *cobra.Command {
	var listen, origin string
	var hosts []string
	var limits server.Limits
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
verify, and checks proofs. It calls nothing proven before. What is damaged is listed as such, and the
rest is served. A proof about points is only checked: its positions cannot be seen.`,
		Example: "  yomikiri serve dobutsu.db awari.db\n" +
			"  yomikiri serve checkers shogi\n" +
			"  yomikiri serve dobutsu.db win.proof --listen :8080 --cors https://example.com",
		Args: ui.AnyArgs,
	}
	flags := cmd.Flags()
	ui.AddressFlag(flags, &listen, "listen", "127.0.0.1:8080", "address to listen on; without a host, such as :8080, other machines can connect too")
	ui.OriginFlag(flags, &origin, "cors", "origin of web pages elsewhere that may read answers, or * for all")
	flags.StringSliceVar(&hosts, "host", nil, "host `name` to answer beside localhost if only this machine can connect, as behind a reverse proxy")
	ui.TimeFlag(flags, &limits.SearchTime, "search-time", "10s", "time limit for a search that is asked for")
	flags.Uint64Var(&limits.SearchNodes, "search-nodes", 0, "node limit for a search; 0 for none")
	ui.MemoryFlag(flags, &limits.SearchMemory, "search-memory", "64MiB", "memory for the tables of a search")
	ui.NumberFlag(flags, &limits.Searches, "searches", 0, 0, 1024, "searches at a time; 0 for one on each processor")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if limits.SearchTime == 0 {
			return ui.Usage(errors.New("--search-time 0: want a time above 0"))
		}
		cfg := server.Config{
			Version: cmd.Root().Version, Origin: origin, Hosts: hosts, Limits: limits, Log: slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil)),
		}
		var open []io.Closer
		defer func() {
			if errors.Is(err, server.ErrCutOff) {
				return // they are in use
			}
			for _, c := range open {
				err = errors.Join(err, c.Close())
			}
		}()
		var names []string // those of infos
		var infos []os.FileInfo
		var proofs []string
		databases := map[string]string{} // directories by checksum
		for _, arg := range args {
			path, err := l.databaseArgument(cmd.Flags(), arg)
			if err != nil {
				return err
			}
			info, err := os.Stat(path)
			if errors.Is(err, fs.ErrNotExist) {
				f, err := l.withoutDatabase(cmd, arg, path)
				if err != nil {
					return err
				}
				cfg.Searches = append(cfg.Searches, f)
				continue
			}
			if err != nil {
				return err
			}
			if before := slices.IndexFunc(infos, func(other os.FileInfo) bool { return os.SameFile(info, other) }); before >= 0 {
				return ui.Usage(fmt.Errorf("%s and %s are the same: name it once", names[before], arg))
			}
			names, infos = append(names, arg), append(infos, info)
			if info.IsDir() {
				d, err := l.openServed(cmd, path, path != arg)
				if errors.Is(err, db.ErrCorrupt) {
					u, checksum := unopened(path, err)
					cfg.Unopened, databases[checksum] = append(cfg.Unopened, u), path
					continue
				}
				if err != nil {
					return err
				}
				cfg.Databases, open = append(cfg.Databases, d), append(open, d)
				databases[d.Game().Checksum] = path
				continue
			}
			if !info.Mode().IsRegular() {
				return ui.Usage(fmt.Errorf("%s is neither a directory nor a regular file (%v): want a database or a proof file", arg, info.Mode().Type()))
			}
			proofs = append(proofs, arg)
		}
		for _, arg := range proofs {
			p, err := l.openProof(cmd, arg, databases)
			// What is no proof, or one of another version, may be a proof whose beginning is damaged. It does
			// not keep other things from being served.
			if len(args) > 1 && (errors.Is(err, proof.ErrNotProof) || errors.Is(err, proof.ErrVersion)) {
				err = fmt.Errorf("%w: %w", proof.ErrRefused, err)
			}
			if errors.Is(err, proof.ErrCorrupt) || errors.Is(err, proof.ErrRefused) || errors.Is(err, db.ErrCorrupt) {
				cfg.Unopened = append(cfg.Unopened, server.Unopened{Kind: "proof", Name: filepath.Base(arg), Err: err})
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", arg, err)
			}
			cfg.Proofs, open = append(cfg.Proofs, p), append(open, p)
		}
		for i := range l {
			g, err := l.open(l[i].Name)
			if err != nil {
				return err
			}
			f, err := l.search(g, false)
			if err != nil {
				return err
			}
			named := func(other server.Search) bool { return other.Game().Name == f.Game().Name }
			if f != nil && !slices.ContainsFunc(cfg.Searches, named) {
				cfg.Searches = append(cfg.Searches, f)
			}
		}
		if len(args) == 0 && len(cfg.Searches) == 0 {
			return ui.Usage(fmt.Errorf("nothing to serve: name a game, a database or a proof file; usage: %s", cmd.UseLine()))
		}
		listener, err := net.Listen("tcp", listen)
		if err != nil {
			return err
		}
		address, ok := listener.Addr().(*net.TCPAddr)
		cfg.Loopback = ok && address.IP.IsLoopback()
		s, err := server.New(cfg)
		if err != nil {
			return ui.Usage(errors.Join(err, listener.Close()))
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "serving on http://%s\n", listener.Addr())
		return s.Serve(cmd.Context(), listener)
	}
	return cmd
}

// unopened returns the entry of a damaged database, and its checksum: by the name of its game, or that
// of its directory if the manifest is damaged.
func unopened(dir string, err error) (u server.Unopened, checksum string) {
	u = server.Unopened{Kind: "database", Name: filepath.Base(filepath.Clean(dir)), Err: err}
	if m, e := db.ReadManifest(nil, dir); e == nil {
		u.Name, checksum = m.Content.Game, m.Checksum
	}
	return u, checksum
}

// openProof opens a proof file, which names its game. If the proof rests on a database,
// that must be served too.
func (l plugins) openProof(cmd *cobra.Command, path string, databases map[string]string) (p server.Proof, err error) {
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
			_, err := g.Check(ctx, r, proof.CheckOptions{})
			return err
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
func (l plugins) withoutDatabase(cmd *cobra.Command, arg, path string) (server.Search, error) {
	_, _, missing := l.openDirectory(cmd, path)
	g, err := l.open(arg)
	if err != nil {
		return nil, missing
	}
	f, err := l.search(g, true)
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
func (l plugins) search(g *app.Game, played bool) (server.Search, error) {
	s := g.Finder
	if s == nil && !played {
		return nil, nil
	}
	src := server.SearchSource{
		Name: g.Name(), Title: g.Family.Title, Game: g, Records: recordsFor(g), Japanese: g.Japanese,
		With: func(spec string) (server.Search, error) {
			g, err := l.open(spec)
			if err != nil {
				return nil, err
			}
			return l.search(g, played)
		},
	}
	own := s != nil && s.Name == g.Family.Name
	if own || !played {
		src.Title, src.Asks, src.Read, src.Run = s.Title, s.Asks, s.Read, s.Run
	}
	var err error
	if own || played {
		src.Evaluation, err = g.Evaluation()
	} else {
		src.Name = s.Name
	}
	if err != nil && (played || !errors.Is(err, play.ErrNoFeatures)) {
		return nil, err
	}
	return server.NewSearch(src), nil
}

// recordsFor returns how to read the games of a text for serve, as analyze does.
func recordsFor(g *app.Game) func(ctx context.Context, text []byte) ([]server.Record, error) {
	return func(ctx context.Context, text []byte) ([]server.Record, error) {
		list, err := records.Read(ctx, g, "the text", text)
		if err != nil {
			return nil, err
		}
		answers := make([]server.Record, len(list))
		for i, r := range list {
			o := server.Record{Title: r.Title, Position: g.PositionText(r.From), Hands: r.Hands, Moves: []string{}}
			p := r.From
			for _, m := range r.Moves {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				o.Moves = append(o.Moves, g.MoveText(p, m))
				p = g.Play(p, m)
			}
			if r.Err != nil {
				o.Error = r.Err.Error()
			}
			answers[i] = o
		}
		return answers, nil
	}
}

// openServed opens a database, which names its game. If the user has named the game instead, the whole
// game is served too.
func (l plugins) openServed(cmd *cobra.Command, dir string, named bool) (server.Database, error) {
	g, _, err := l.openDirectory(cmd, dir)
	if err != nil {
		return nil, err
	}
	d, err := openDatabase(cmd, g, dir)
	if err != nil {
		return nil, err
	}
	e, err := g.Asked.Evaluation()
	if err != nil && !errors.Is(err, play.ErrNoFeatures) {
		return nil, errors.Join(err, d.Close())
	}
	return server.NewDatabase(server.Source{
		Game: g, Name: filepath.Base(filepath.Clean(dir)), Named: named, Database: d, Evaluation: e, Records: recordsFor(g.Asked),
	}), nil
}
