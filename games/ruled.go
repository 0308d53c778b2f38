package games

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Ruled is the capability of a game whose rules come from a file. Databases and proofs of it carry them.
type Ruled interface {
	// RulesText returns the rules, as lines of the form KEY = VALUE. Equal texts mean equal rules.
	RulesText() string
}

// RulesTextOf returns the rules of a game that come from a file. They are empty for a game whose rules are part of the
// program.
func RulesTextOf(g any) string {
	if r, ok := g.(Ruled); ok {
		return r.RulesText()
	}
	return ""
}

// Forgetful is the capability of a game with rules about what happened before a position, such as that of fifty moves. A
// position does not know them: its value is that without them, and that of play which repeats positions is a draw.
type Forgetful interface {
	// LeftOut returns these rules, each as KEY = VALUE.
	LeftOut() []string
}

// LeftOutOf returns the rules that values of a game leave out, nil if there are none.
func LeftOutOf(g any) []string {
	if f, ok := g.(Forgetful); ok {
		return f.LeftOut()
	}
	return nil
}

// RulesDigest returns a digest of rules, 16 hexadecimal digits: the beginning of their SHA-256. It is empty for empty rules.
func RulesDigest(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// CheckDigest fails if rules do not have a digest.
func CheckDigest(text, digest string) error {
	if RulesDigest(text) != digest {
		return fmt.Errorf("the digest of the rules is %.20q, and is said to be %.20q", RulesDigest(text), digest)
	}
	return nil
}

// CheckRules fails if the rules that a database or a proof of a game carries are not those of the game. The error says which
// keys differ.
func CheckRules(game, carried, own string) error {
	switch {
	case carried == own:
		return nil
	case carried == "":
		return fmt.Errorf("it does not say by which rules of %s it was made, and those may have changed: have it made again", game)
	case own == "":
		return fmt.Errorf("it was made by rules of %s from a file, and %s has its own rules here", game, game)
	}
	was, is := rulesByKey(carried), rulesByKey(own)
	keys := maps.Clone(was)
	maps.Copy(keys, is)
	var list []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if was[key] != is[key] {
			list = append(list, fmt.Sprintf("%s was %s, is %s", key, valueText(was, key), valueText(is, key)))
		}
	}
	return fmt.Errorf("rules of %s have changed since it was made: %s", game, strings.Join(list, "; "))
}

func rulesByKey(text string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
		values[key] = value
	}
	return values
}

func valueText(values map[string]string, key string) string {
	if v, ok := values[key]; ok {
		return v
	}
	return "not given"
}
