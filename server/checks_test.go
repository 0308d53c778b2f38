package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/db/verify"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
)

// falseWin is a proof that the start position of tic-tac-toe is won by a move to the middle.
// It answers one reply and ends where nothing is won. Its form is right.
func falseWin(t *testing.T) *server.ProofSource {
	f, err := os.Create(filepath.Join(t.TempDir(), "win.proof"))
	require.NoError(t, err)
	const root = ".../.../..."
	w, err := proof.NewWriter(f, proof.Header{Game: "tictactoe", Root: root, Claims: []proof.Claim{{Side: proof.Mover, Goal: proof.Win}}})
	require.NoError(t, err)
	var number uint64
	for _, n := range []proof.Node{
		{Kind: proof.Or, Uses: 1, Rank: 1, Position: []byte(".../.x./o.."), Move: []byte("c3")},
		{Kind: proof.And, Uses: 1, Rank: 2, Position: []byte(".../.x./..."), Children: []uint64{1}},
		{Kind: proof.Or, Uses: 1, Rank: 3, Position: []byte(root), Move: []byte("b2"), Children: []uint64{2}},
	} {
		number, err = w.Add(&n)
		require.NoError(t, err)
	}
	require.NoError(t, w.EndClaim(number))
	require.NoError(t, w.Close())
	return proofSource(t, f)
}

func newProof(t *testing.T, source *server.ProofSource) server.Proof {
	p, err := server.NewProof(*source)
	require.NoError(t, err)
	t.Cleanup(func() { p.Close() })
	return p
}

// statuses returns what the list of games says of each database and proof.
func statuses(t *testing.T, s *server.Server) map[string]*server.Status {
	list := map[string]*server.Status{}
	for _, g := range get[struct{ Games []server.Game }](t, s, "/api/v1/games").Games {
		list[g.Kind+" "+g.Name] = g.Status
	}
	return list
}

type healthz struct {
	Status string
	Games  map[string]server.Status
}

func health(t *testing.T, s *server.Server) (code int, h healthz) {
	w := ask(s, "/healthz")
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &h), w.Body)
	return w.Code, h
}

// TestProofState has proofs that are right and wrong, and some whose check fails. Nothing is
// said to be proven unless the check has succeeded.
func TestProofState(t *testing.T) {
	failing := func(err error) *server.ProofSource {
		source := falseWin(t)
		source.Check = func(context.Context, *proof.Reader) error { return err }
		return source
	}
	for _, c := range []struct {
		name                           string
		source                         *server.ProofSource
		state, reason, proves, overall string
		rank                           bool
	}{
		{"false", falseWin(t), server.Refused, "proof refused", "", "failed", false},
		{"damaged", failing(fmt.Errorf("%w: node 1", proof.ErrCorrupt)), server.Refused, "damaged proof file: node 1", "", "failed", false},
		{"too much work", failing(proof.ErrLimit), server.Unchecked, "", "", "failed", false},
		{"cannot be read", failing(errors.New("/somewhere: no")), server.Unchecked, "", "", "failed", false},
		{"believed", failing(nil), server.Checked, "", "win", "ok", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newServer(t, server.Config{Proofs: []server.Proof{newProof(t, c.source)}})
			n := get[server.ProofNode](t, s, "/api/v1/proof/win.proof/node")
			require.Equal(t, server.Checking, n.State)
			require.Empty(t, n.Proves)
			require.Zero(t, n.Rank)
			require.Equal(t, map[string]*server.Status{"proof win.proof": {State: server.Checking}}, statuses(t, s))
			code, h := health(t, s)
			require.Equal(t, 503, code)
			require.Equal(t, "checking", h.Status)

			s.Check(t.Context())
			n = get[server.ProofNode](t, s, "/api/v1/proof/win.proof/node")
			require.Equal(t, c.state, n.State)
			require.Equal(t, c.proves, n.Proves)
			require.Equal(t, c.rank, n.Rank > 0)
			require.NotContains(t, ask(s, "/api/v1/proof/win.proof/node").Body.String(), "category")
			status := statuses(t, s)["proof win.proof"]
			require.Equal(t, c.state, status.State)
			require.Contains(t, status.Reason, c.reason)
			require.Equal(t, c.reason == "", status.Reason == "")
			code, h = health(t, s)
			require.Equal(t, map[bool]int{true: 200, false: 503}[c.overall == "ok"], code)
			require.Equal(t, c.overall, h.Status)
			require.Equal(t, *status, h.Games["proof/win.proof"])
		})
	}
}

// TestProofFaults walks through proofs that are wrong in their form. That is the fault of the file, not of
// the server, also before the check has found it.
func TestProofFaults(t *testing.T) {
	const root = ".../.../..."
	for name, nodes := range map[string][]proof.Node{
		"no position": {
			{Kind: proof.And, Uses: 1, Rank: 1, Position: []byte("nowhere")},
			{Kind: proof.Or, Uses: 1, Rank: 2, Position: []byte(root), Move: []byte("b2"), Children: []uint64{1}},
		},
		"a false certificate": {
			{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte(root), Certificate: []byte("x")},
		},
	} {
		f, err := os.Create(filepath.Join(t.TempDir(), "win.proof"))
		require.NoError(t, err)
		w, err := proof.NewWriter(f, proof.Header{Game: "tictactoe", Root: root, Claims: []proof.Claim{{Side: proof.Mover, Goal: proof.Win}}})
		require.NoError(t, err)
		var number uint64
		for _, n := range nodes {
			number, err = w.Add(&n)
			require.NoError(t, err, name)
		}
		require.NoError(t, w.EndClaim(number))
		require.NoError(t, w.Close())
		source := proofSource(t, f)
		source.CertificateLine = func(context.Context, string, []byte) ([]string, error) {
			return nil, errors.New("the search contradicts itself")
		}
		c := server.Config{Proofs: []server.Proof{newProof(t, source)}}
		log := logged(&c)
		s := newServer(t, c)
		for range 2 {
			w := ask(s, "/api/v1/proof/win/line")
			require.Equal(t, 409, w.Code, "%s: %s", name, w.Body)
			require.Contains(t, w.Body.String(), `"code":"refused","message":"proof refused: `)
			require.NotContains(t, log.String(), "method=GET")
			s.Check(t.Context())
			require.Equal(t, server.Refused, statuses(t, s)["proof win.proof"].State)
		}
	}
}

// TestUnopened serves what cannot be opened: it is listed, and says what is wrong.
func TestUnopened(t *testing.T) {
	c := fixture(t)
	c.Unopened = []server.Unopened{
		{Kind: "database", Name: "dobutsu:size=3x3", Err: fmt.Errorf("/somewhere: %w", db.ErrCorrupt)},
		{Kind: "proof", Name: "cut.proof", Err: fmt.Errorf("%w: it ends early", proof.ErrCorrupt)},
		{Kind: "proof", Name: "rests.proof", Err: db.ErrCorrupt},
	}
	s := newServer(t, c)
	for range 2 {
		list := statuses(t, s)
		require.Equal(t, &server.Status{State: server.Damaged}, list["database dobutsu:size=3x3"])
		require.Equal(t, &server.Status{State: server.Refused, Reason: "damaged proof file: it ends early"}, list["proof cut.proof"])
		require.Equal(t, &server.Status{State: server.Unchecked}, list["proof rests.proof"])
		for path, code := range map[string]string{
			"/api/v1/dobutsu:size=3x3": "damaged", "/api/v1/dobutsu": "damaged", "/api/v1/dobutsu/board": "damaged", "/api/v1/dobutsu/stats": "damaged",
			"/api/v1/proof/cut.proof/node": "refused", "/api/v1/proof/cut/line": "refused", "/api/v1/proof/rests.proof/node": "damaged",
		} {
			require.Contains(t, ask(s, path).Body.String(), `{"error":{"code":"`+code+`",`, path)
		}
		require.Equal(t, 200, ask(s, "/api/v1/tictactoe").Code)
		s.Check(t.Context())
	}
	code, h := health(t, s)
	require.Equal(t, 503, code)
	require.Equal(t, "failed", h.Status)
	require.Equal(t, server.Damaged, h.Games["dobutsu:size=3x3"].State)
	require.Equal(t, server.Refused, h.Games["proof/cut.proof"].State)
}

// verified writes the record of a verification of a database of tic-tac-toe.
func verified(t *testing.T, dir string) {
	u, err := games.UniverseOf(tictactoe.Game{})
	require.NoError(t, err)
	v, err := verify.Run(t.Context(), dir, u, verify.Options{})
	require.NoError(t, err)
	require.Zero(t, v.Problems)
	require.NoError(t, store.WriteVerification(nil, dir, "yomikiri 1", time.Unix(0, 0).UTC(), v.Content))
}

// TestVerification tells a database whose checksums are right from one that was verified,
// and says the same of a proof that rests on it.
func TestVerification(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, dir string)
		want   db.Verification
	}{
		{"unverified", func(*testing.T, string) {}, db.Verification{State: db.Unverified}},
		{"verified", verified, db.Verification{State: db.Verified, By: "yomikiri 1", At: time.Unix(0, 0).UTC()}},
		{"stale", func(t *testing.T, dir string) {
			require.NoError(t, store.WriteVerification(nil, dir, "yomikiri 1", time.Unix(0, 0).UTC(), nil))
		}, db.Verification{State: db.Stale, By: "yomikiri 1", At: time.Unix(0, 0).UTC()}},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := source(t, "tictactoe", retro.Reachable)
			c.change(t, src.Name)
			win := falseWin(t)
			win.Check = func(context.Context, *proof.Reader) error { return nil }
			s := newServer(t, server.Config{
				Databases: []server.Database{server.NewDatabase(src)},
				Proofs:    []server.Proof{restsOn{newProof(t, win), src.Database.DB().Manifest().Checksum}},
			})
			require.Equal(t, &server.Status{State: server.Checking}, statuses(t, s)["database tictactoe"])
			s.Check(t.Context())
			require.Equal(t, map[string]*server.Status{
				"database tictactoe": {State: server.Intact, Verification: &c.want},
				"proof win.proof":    {State: server.Checked, Verification: &c.want},
			}, statuses(t, s))
			code, h := health(t, s)
			require.Equal(t, 200, code)
			require.Equal(t, c.want, *h.Games["tictactoe"].Verification)
		})
	}
}

// restsOn is a proof that rests on a database.
type restsOn struct {
	server.Proof
	checksum string
}

func (p restsOn) Game() server.Game {
	g := p.Proof.Game()
	g.Checksum = p.checksum
	return g
}

// failing is a database that does not fit its checksums, or cannot be read.
type failing struct {
	server.Database
	err error
}

func (f failing) Check(context.Context) (db.Verification, error) {
	return db.Verification{State: db.Verified}, f.err
}

// TestDatabaseFails has databases whose check fails. A proof that rests on one is not said
// to be right, although its own check succeeds.
func TestDatabaseFails(t *testing.T) {
	for err, state := range map[error]string{
		fmt.Errorf("x.db: %w", db.ErrCorrupt): server.Damaged,
		errors.New("x.db: cannot be read"):    server.Unchecked,
	} {
		src := source(t, "tictactoe", retro.Reachable)
		win := falseWin(t)
		win.Check = func(context.Context, *proof.Reader) error { return nil }
		s := newServer(t, server.Config{
			Databases: []server.Database{failing{server.NewDatabase(src), err}},
			Proofs:    []server.Proof{restsOn{newProof(t, win), src.Database.DB().Manifest().Checksum}},
		})
		s.Check(t.Context())
		require.Equal(t, map[string]*server.Status{
			"database tictactoe": {State: state},
			"proof win.proof":    {State: server.Unchecked, Reason: "the database that it rests on is " + state},
		}, statuses(t, s))
		require.Empty(t, get[server.ProofNode](t, s, "/api/v1/proof/win.proof/node").Proves)
		code, h := health(t, s)
		require.Equal(t, 503, code)
		require.Equal(t, "failed", h.Status)
	}
}

// TestOneTruth has answers of searches and proofs without a value beside what was found.
func TestOneTruth(t *testing.T) {
	s := newServer(t, fixture(t))
	s.Check(t.Context())
	for _, path := range []string{"/api/v1/first", "/api/v1/first?board=1", "/api/v1/first/board", "/api/v1/proof/draw.proof/node", "/api/v1/proof/draw.proof/node?path=a1"} {
		body := ask(s, path).Body.String()
		require.NotRegexp(t, `"(category|dtm|score|preserves_result|optimal)"`, body, path)
	}
	require.Contains(t, ask(s, "/api/v1/first/board?position=xxx/oo./...").Body.String(), `"category":"loss","dtm":0,`, "the rules decide")
}
