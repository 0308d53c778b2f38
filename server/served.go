package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/db"
)

// served is something that is served: a database, a search or a game that is only played, a proof, or
// what cannot be opened.
type served struct {
	entry    Game   // in the list of games, without its status
	path     string // in the API
	database Database
	search   Search
	proof    Proof
	err      error                                               // why it cannot be opened
	check    func(ctx context.Context) (*db.Verification, error) // nil for a search
	status   Status                                              // see checks
}

// addAll adds all that is to be served.
func (s *Server) addAll(table []route) error {
	var list []*served
	for _, d := range s.Databases {
		list = append(list, &served{entry: d.Game(), database: d, check: func(ctx context.Context) (*db.Verification, error) {
			v, err := d.Check(ctx)
			return &v, err
		}})
	}
	for _, x := range s.Config.Searches {
		list = append(list, &served{entry: x.Game(), search: x})
	}
	for _, p := range s.Proofs {
		list = append(list, &served{entry: p.Game(), proof: p, check: func(ctx context.Context) (*db.Verification, error) { return nil, p.Check(ctx) }})
	}
	for _, u := range s.Unopened {
		list = append(list, &served{entry: u.Game(), err: u.Err, check: func(context.Context) (*db.Verification, error) { return nil, u.Err }})
	}
	for _, x := range list {
		if err := s.add(table, x); err != nil {
			return err
		}
	}
	return nil
}

// add adds what is served to the list. It fails if its name is taken.
func (s *Server) add(table []route, x *served) error {
	g := &x.entry
	if g.Kind == kindSearch {
		g.Limits = s.Limits.ofSearches()
	}
	for _, before := range s.checks.served {
		other := before.entry
		if other.Name == g.Name && (other.Kind == g.Kind || g.Kind != kindProof && other.Kind != kindProof) {
			return fmt.Errorf("the %s %s and the %s %s both have the name %s: serve one of them",
				other.Kind, cmp.Or(other.Database, other.Title), g.Kind, cmp.Or(g.Database, g.Title), g.Name)
		}
	}
	if reserved(table, g.Name) {
		return fmt.Errorf("%s %s: the API has a path of this name, so it has to be renamed", g.Kind, g.Name)
	}
	x.path, x.status = g.Name, Status{State: Checking}
	if g.Kind == kindProof {
		x.path = kindProof + "/" + g.Name // which may be that of a database
	}
	if x.err != nil {
		x.status = statusOf(g.Kind, nil, x.err)
	}
	s.checks.served = append(s.checks.served, x)
	return nil
}

// names lists the names of what is served of the given kinds, for errors.
func (s *Server) names(kinds ...string) string {
	var list []string
	for _, x := range s.checks.served {
		if slices.Contains(kinds, x.entry.Kind) {
			list = append(list, x.entry.Name)
		}
	}
	if len(list) == 0 {
		return "is none"
	}
	return "are " + strings.Join(list, ", ")
}

// named is what the name in a path means.
type named struct {
	*served        // nil if there is no name, or nothing with it
	rules   string // options of a search that differ from those with which it is served
	whole   bool   // the name is that of a [WholeGame]
}

// nameIn returns the name in the path of a request.
func nameIn(r *http.Request) string { return cmp.Or(r.PathValue("game"), r.PathValue("name")) }

// lookUp returns what the name in the path of a request means: a proof, whose name may lack .proof;
// something else by its full name; a whole game; the only database of a game with the rule
// options given, in any order, of which some may be left out; or a search under other rules. It
// fails if there are several databases.
func (s *Server) lookUp(r *http.Request) (named, error) {
	name := nameIn(r)
	if r.PathValue("name") != "" {
		x := s.first(func(x *served) bool { return x.entry.Kind == kindProof && x.entry.Name == name })
		if x == nil {
			x = s.first(func(x *served) bool { return x.entry.Kind == kindProof && x.entry.Name == name+".proof" })
		}
		return named{served: x}, nil
	}
	if x := s.first(func(x *served) bool { return x.entry.Kind != kindProof && x.entry.Name == name }); x != nil {
		return named{served: x}, nil
	}
	if x := s.first(func(x *served) bool { return x.entry.Whole != nil && strings.EqualFold(x.entry.Whole.Name, name) }); x != nil {
		return named{served: x, whole: true}, nil
	}
	family, rules, _ := strings.Cut(strings.ToLower(name), ":")
	var list []*served
	var full []string
	for _, x := range s.checks.served {
		if own, _, _ := strings.Cut(x.entry.Name, ":"); x.entry.Kind == kindDatabase && own == family && x.entry.has(rules) {
			list, full = append(list, x), append(full, x.entry.Name)
		}
	}
	switch len(list) {
	case 0:
		return named{served: s.first(func(x *served) bool { return x.search != nil && x.entry.Name == family }), rules: rules}, nil
	case 1:
		return named{served: list[0]}, nil
	}
	return named{}, notFound("%q is one of %s: say which", name, strings.Join(full, ", "))
}

// first returns the first that is served of some kind, nil if there is none.
func (s *Server) first(is func(*served) bool) *served {
	if i := slices.IndexFunc(s.checks.served, is); i >= 0 {
		return s.checks.served[i]
	}
	return nil
}

// has reports whether a game has rule options, separated by commas.
func (g *Game) has(options string) bool {
	for option := range strings.SplitSeq(options, ",") {
		if name, value, _ := strings.Cut(option, "="); options != "" && g.Rules[name] != value {
			return false
		}
	}
	return true
}
