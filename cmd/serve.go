package cmd

import (
	"errors"
	"fmt"
	"log/slog"
	"net"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/server"
)

func newServe(l plugins) *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "serve DATABASE ...",
		Short: "Show solved games in a browser, with an HTTP API",
		Long: `Serve answers over HTTP what query answers, and shows it in a browser. Only programs on
this machine can reach it unless --listen says otherwise.`,
		Example: "  yomikiri serve dobutsu.db awari-stones-12.db",
		Args:    arguments(cobra.MinimumNArgs(1)),
	}
	flags := cmd.Flags()
	flags.StringVar(&listen, "listen", "127.0.0.1:8080", "`ADDRESS` to listen on")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		cfg := server.Config{Version: cmd.Root().Version, Log: slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))}
		defer func() {
			for _, d := range cfg.Databases {
				if errors.Is(err, server.ErrCutOff) {
					return // they are in use
				}
				err = errors.Join(err, d.Close())
			}
		}()
		for _, arg := range args {
			d, err := l.serveDatabase(cmd, arg)
			if err != nil {
				return err
			}
			cfg.Databases = append(cfg.Databases, d)
		}
		s, err := server.New(cfg)
		if err != nil {
			return usageError{err}
		}
		listener, err := net.Listen("tcp", listen)
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "serving on http://%s\n", listener.Addr())
		return s.Serve(cmd.Context(), listener)
	}
	return cmd
}

// serveDatabase opens a database, which says of which game it is.
func (l plugins) serveDatabase(cmd *cobra.Command, dir string) (server.Database, error) {
	m, err := db.ReadManifest(nil, dir)
	if err != nil {
		return nil, unfinished(cmd, dir, err)
	}
	g, err := l.open(m.Content.Game)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return g.database(cmd, dir)
}
