package uci

import (
	"errors"
	"fmt"
	"strings"
)

// Option is an option that an engine offers; O are the values of all.
type Option[O any] struct {
	Name string
	Kind string // its declaration, after the word type; empty if it is not declared
	Set  func(o *O, value string) error
}

// Introduce says who the engine is and declares its options.
func Introduce[O any](s *Session, version string, list []Option[O]) {
	s.Say("id name yomikiri %s", version)
	s.Say("id author the yomikiri authors")
	for _, o := range list {
		if o.Kind != "" {
			s.Say("option name %s type %s", o.Name, o.Kind)
		}
	}
}

// Set obeys setoption name NAME value VALUE, and returns the options after it. It has no value for a button.
func Set[O any](list []Option[O], options O, text string) (O, error) {
	text, ok := strings.CutPrefix(text, "name ")
	name, value, given := strings.Cut(text, " value ")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok {
		return options, errWant
	}
	for _, o := range list {
		if !strings.EqualFold(o.Name, name) {
			continue
		}
		if o.Kind != "button" && (!given || value == "") {
			return options, errWant
		}
		changed := options
		if err := o.Set(&changed, value); err != nil {
			return options, fmt.Errorf("option %s: %w", o.Name, err)
		}
		return changed, nil
	}
	if !given {
		return options, errWant
	}
	return options, fmt.Errorf("no option %q", name)
}

var errWant = errors.New("setoption: want name NAME value VALUE")

// Check reads the value of an option that is on or off.
func Check(value string) (bool, error) {
	if value != "true" && value != "false" {
		return false, fmt.Errorf("%q: want true or false", value)
	}
	return value == "true", nil
}
