package games

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Info describes a registered game.
type Info struct {
	// Name is what users type: lower case, without spaces or colons.
	Name string `json:"name"`
	// Title is the game's full name.
	Title string `json:"title"`
	// Notation says in a line or two how positions and moves are written.
	Notation string `json:"notation"`
	// Options are the rule options, in the order in which names list them.
	Options []Option `json:"options,omitempty"`
}

// Option is a rule that comes in variants.
type Option struct {
	Name string `json:"name"`
	// Values are the variants; the first is the usual rule. If there are too
	// many to list, it has the usual one only, and Form and Parse are set.
	Values []string `json:"values"`
	// Form shows how a value is written, such as "ROWSxCOLUMNS".
	Form string `json:"form,omitempty"`
	// Parse reads a value and returns its only spelling, or an error that says
	// what is wanted.
	Parse func(text string) (string, error) `json:"-"`
	// Extent is true for an option that says how much of the game there is to
	// solve, and not by which rules it is played.
	Extent bool `json:"extent,omitempty"`
	// Help says what the variants mean.
	Help string `json:"help"`
}

// parse returns the only spelling of a value.
func (o *Option) parse(text string) (string, error) {
	if o.Parse != nil {
		return o.Parse(text)
	}
	if !slices.Contains(o.Values, text) {
		return "", fmt.Errorf("want one of %s", strings.Join(o.Values, ", "))
	}
	return text, nil
}

// Rules are the chosen variants of a game's rule options.
type Rules struct {
	info   *Info
	chosen map[string]string
}

// Get returns the chosen variant of the named option. It panics if the game
// has no such option.
func (r Rules) Get(option string) string {
	for _, o := range r.info.Options {
		if o.Name == option {
			if v, ok := r.chosen[option]; ok {
				return v
			}
			return o.Values[0]
		}
	}
	panic(fmt.Sprintf("games: %s has no rule option %q", r.info.Name, option))
}

// Matches reports whether the game that has is the one that asked names: the same
// game under the same rules. An extent matters only where asked gives it.
func Matches(has, asked string) (bool, error) {
	a, err := parseRules(has)
	if err != nil {
		return false, err
	}
	b, err := parseRules(asked)
	if err != nil || a.info.Name != b.info.Name {
		return false, err
	}
	for _, o := range a.info.Options {
		_, given := b.chosen[o.Name]
		if (given || !o.Extent) && a.Get(o.Name) != b.Get(o.Name) {
			return false, nil
		}
	}
	return true, nil
}

// WithoutExtent returns a game's name without the options that say how much of it
// there is to solve.
func WithoutExtent(name string) (string, error) {
	r, err := parseRules(name)
	if err != nil {
		return "", err
	}
	for _, o := range r.info.Options {
		if o.Extent {
			delete(r.chosen, o.Name)
		}
	}
	return r.String(), nil
}

// String returns the name of the game under these rules: the game, and behind a
// colon the options that are not the usual ones.
func (r Rules) String() string {
	var unusual []string
	for _, o := range r.info.Options {
		if v := r.Get(o.Name); v != o.Values[0] {
			unusual = append(unusual, o.Name+"="+v)
		}
	}
	if len(unusual) == 0 {
		return r.info.Name
	}
	return r.info.Name + ":" + strings.Join(unusual, ",")
}

var registry struct {
	sync.Mutex
	entries map[string]entry
}

type entry struct {
	info  Info
	build func(Rules) Any
}

// Register makes a game known under info.Name. Games call it in an init
// function. It panics if the name is taken. The function build returns the game
// under the given rules; Name of that game must return rules.String().
func Register[P, M comparable](info Info, build func(Rules) Game[P, M]) {
	registry.Lock()
	defer registry.Unlock()
	if registry.entries == nil {
		registry.entries = make(map[string]entry)
	}
	if _, ok := registry.entries[info.Name]; ok {
		panic(fmt.Sprintf("games: %q is registered twice", info.Name))
	}
	registry.entries[info.Name] = entry{info, func(r Rules) Any { return Erase(build(r)) }}
}

// List returns the registered games by name.
func List() []Info {
	registry.Lock()
	defer registry.Unlock()
	var list []Info
	for _, e := range registry.entries {
		list = append(list, e.info)
	}
	slices.SortFunc(list, func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Open returns the game that spec names: a registered name, and behind a colon
// rule options as option=value with commas between.
func Open(spec string) (Any, error) {
	rules, err := parseRules(spec)
	if err != nil {
		return nil, err
	}
	registry.Lock()
	e := registry.entries[rules.info.Name]
	registry.Unlock()
	return e.build(rules), nil
}

// parseRules reads what [Open] reads.
func parseRules(spec string) (Rules, error) {
	name, options, hasOptions := strings.Cut(spec, ":")
	registry.Lock()
	e, ok := registry.entries[name]
	registry.Unlock()
	if !ok {
		var names []string
		for _, info := range List() {
			names = append(names, info.Name)
		}
		return Rules{}, fmt.Errorf("no game %q; there are: %s", name, strings.Join(names, ", "))
	}
	rules := Rules{&e.info, map[string]string{}}
	if hasOptions {
		for _, text := range strings.Split(options, ",") {
			if err := rules.choose(text); err != nil {
				return Rules{}, err
			}
		}
	}
	return rules, nil
}

func (r Rules) choose(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("%s: rule option %q: want option=value", r.info.Name, text)
	}
	at := slices.IndexFunc(r.info.Options, func(o Option) bool { return o.Name == name })
	if at < 0 {
		var names []string
		for _, o := range r.info.Options {
			names = append(names, o.Name)
		}
		if len(names) == 0 {
			return fmt.Errorf("%s has no rule options, so no %q", r.info.Name, name)
		}
		return fmt.Errorf("%s has no rule option %q; there are: %s", r.info.Name, name, strings.Join(names, ", "))
	}
	chosen, err := r.info.Options[at].parse(value)
	if err != nil {
		return fmt.Errorf("%s: rule option %s=%q: %w", r.info.Name, name, value, err)
	}
	if _, twice := r.chosen[name]; twice {
		return fmt.Errorf("%s: rule option %s is given twice", r.info.Name, name)
	}
	r.chosen[name] = chosen
	return nil
}
