package games

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Info describes a game for users.
type Info struct {
	// Name is what users type: lower-case letters, digits and hyphens, perhaps after [VariantPrefix].
	Name string `json:"name"`
	// Title is the game's full name.
	Title string `json:"title"`
	// Notation describes how positions and moves are written, in a line or two.
	Notation string `json:"notation"`
	// Options are the rule options, in the order in which names list them.
	Options []Option `json:"options,omitempty"`
	// Variant says that the rules come from a file of variants.
	Variant bool `json:"variant,omitempty"`
}

// Option is a rule that comes in variants.
type Option struct {
	// Name is spelled like the name of a game. Commands have a flag of this name, so it must
	// not collide with their other flags, such as "time".
	Name string `json:"name"`
	// Values are the variants, the default first. If there are too many to list, only the
	// default is here, and Form and Parse are set.
	Values []string `json:"values"`
	// Form shows how a value is written, such as "ROWSxCOLUMNS".
	Form string `json:"form,omitempty"`
	// Parse reads a value and returns it in canonical form, or an error that
	// says what is wanted.
	Parse func(text string) (string, error) `json:"-"`
	// Extent marks an option that limits how much of the game is solved, not how
	// it is played.
	Extent bool `json:"extent,omitempty"`
	// FromStart is a value of an extent under which the game begins where it always does, and its positions are numbered;
	// empty if there is none.
	FromStart string `json:"-"`
	// Help says what the variants mean.
	Help string `json:"help"`
}

// parse returns a value in canonical form.
func (o *Option) parse(text string) (string, error) {
	if o.Parse != nil {
		return o.Parse(text)
	}
	if !slices.Contains(o.Values, text) {
		return "", fmt.Errorf("want one of %s%s", strings.Join(o.Values, ", "), DidYouMean(text, o.Values))
	}
	return text, nil
}

// Family is a game with all its rule variants: what a program needs in order to
// offer the game. G is the type of the game.
type Family[G any] struct {
	Info
	build func(Rules) G
}

// NewFamily returns a family. The function build returns the game under the given
// rules; its Name must return rules.String(). If info is invalid, see [Info.Check], no game can be
// opened.
func NewFamily[G any](info Info, build func(Rules) G) *Family[G] {
	return &Family[G]{info, build}
}

// Open returns the game that spec names: the family's name, optionally followed by a
// colon and rule options, option=value, separated by commas.
func (f *Family[G]) Open(spec string) (G, error) {
	r, err := f.Rules(spec)
	if err != nil {
		var none G
		return none, err
	}
	return f.build(r), nil
}

// New returns the game under rules that [Info.Rules] returned.
func (f *Family[G]) New(r Rules) G { return f.build(r) }

// VariantPrefix stands before the name of a game from a file that has the name of another game.
const VariantPrefix = "variant:"

var (
	nameForm   = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)
	familyForm = regexp.MustCompile(`^(` + VariantPrefix + `)?[a-z0-9][a-z0-9-]*$`)
)

// Check refuses names that cannot be typed and options without a default.
func (i *Info) Check() error {
	if !familyForm.MatchString(i.Name) {
		return fmt.Errorf("game name %q: want lower-case letters, digits and hyphens", i.Name)
	}
	for n, o := range i.Options {
		switch {
		case !nameForm.MatchString(o.Name):
			return fmt.Errorf("%s: option name %q: want lower-case letters, digits and hyphens", i.Name, o.Name)
		case slices.ContainsFunc(i.Options[:n], func(p Option) bool { return p.Name == o.Name }):
			return fmt.Errorf("%s: two options are called %s", i.Name, o.Name)
		case len(o.Values) == 0:
			return fmt.Errorf("%s: option %s has no default: its list of values is empty", i.Name, o.Name)
		}
		if v, err := o.parse(o.Values[0]); err != nil || v != o.Values[0] {
			return fmt.Errorf("%s: option %s: its default %q is not read as itself", i.Name, o.Name, o.Values[0])
		}
	}
	return nil
}

// Rules returns the rules that spec asks for; see [Family.Open].
func (i *Info) Rules(spec string) (Rules, error) {
	if err := i.Check(); err != nil {
		return Rules{}, err
	}
	rest, ok := strings.CutPrefix(spec, i.Name)
	options, hasOptions := strings.CutPrefix(rest, ":")
	if !ok || rest != "" && !hasOptions {
		name, _, _ := strings.Cut(spec, ":")
		return Rules{}, fmt.Errorf("game %q: want %s", name, i.Name)
	}
	rules := Rules{i, map[string]string{}}
	if hasOptions {
		for _, text := range strings.Split(options, ",") {
			if err := rules.choose(text); err != nil {
				return Rules{}, err
			}
		}
	}
	return rules, nil
}

// Rules are the chosen variants of a game's rule options.
type Rules struct {
	info   *Info
	chosen map[string]string
}

// Get returns the chosen variant of the named option. It panics if the game has
// no such option.
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

// Match reports whether r and asked are the same rules. Extents are compared only where asked
// sets them explicitly.
func (r Rules) Match(asked Rules) bool {
	if r.info.Name != asked.info.Name {
		return false
	}
	for _, o := range r.info.Options {
		_, given := asked.chosen[o.Name]
		if (given || !o.Extent) && r.Get(o.Name) != asked.Get(o.Name) {
			return false
		}
	}
	return true
}

// Whole returns the rules without extents.
func (r Rules) Whole() Rules {
	whole := Rules{r.info, map[string]string{}}
	for _, o := range r.info.Options {
		if v, ok := r.chosen[o.Name]; ok && !o.Extent {
			whole.chosen[o.Name] = v
		}
	}
	return whole
}

// IsWhole reports whether the rules cover the whole game. Part of a game has another start
// position.
func (r Rules) IsWhole() bool { return r.Whole().String() == r.String() }

// FromStart reports whether the game begins where the whole game does: the rules limit nothing, or as [Option.FromStart] says.
func (r Rules) FromStart() bool {
	for _, o := range r.info.Options {
		if v := r.Get(o.Name); o.Extent && v != o.Values[0] && v != o.FromStart {
			return false
		}
	}
	return true
}

// String returns the name of the game under these rules: the game, and after a
// colon the options that differ from their defaults.
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

// choose reads option=value.
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
		return fmt.Errorf("%s has no rule option %q%s; its options: %s", r.info.Name, name, DidYouMean(name, names), strings.Join(names, ", "))
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
