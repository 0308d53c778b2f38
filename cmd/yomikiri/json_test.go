package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// jsonField is a field as docs/json.md has it.
type jsonField struct {
	types    []string // such as "number", "objects"; or "record"
	section  string   // of the record
	optional bool
}

// jsonDoc has the fields of each section of docs/json.md, and what differs from them.
type jsonDoc struct {
	fields map[string]map[string]jsonField // by section and path
	seen   map[string]bool                 // section and path
	wrong  map[string]bool
}

var (
	jsonHeading = regexp.MustCompile(`^##+ (.*)$`)
	jsonRow     = regexp.MustCompile("^\\| (`.*`) \\| ([^|]*) \\|")
	jsonPath    = regexp.MustCompile("`([^`]+)`")
	jsonLink    = regexp.MustCompile(`^\[(.*)\]\(.*\)$`)
)

func readJSONDoc(t *testing.T) *jsonDoc {
	text, err := os.ReadFile("../../docs/json.md")
	require.NoError(t, err)
	d := &jsonDoc{map[string]map[string]jsonField{}, map[string]bool{}, map[string]bool{}}
	var sections []string
	for line := range strings.Lines(string(text)) {
		if m := jsonHeading.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			sections = strings.Split(strings.ToLower(m[1]), ", ")
		}
		m := jsonRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		kind, optional := strings.CutSuffix(m[2], "?")
		f := jsonField{types: strings.Split(kind, " or "), optional: optional}
		if link := jsonLink.FindStringSubmatch(kind); link != nil {
			f.types, f.section = []string{"record"}, link[1]
		}
		for _, section := range sections {
			if d.fields[section] == nil {
				d.fields[section] = map[string]jsonField{}
			}
			for _, path := range jsonPath.FindAllStringSubmatch(m[1], -1) {
				d.fields[section][path[1]] = f
			}
		}
	}
	return d
}

func (d *jsonDoc) fail(format string, args ...any) { d.wrong[fmt.Sprintf(format, args...)] = true }

// check compares an object, and those in it, with a section. The paths of its fields begin
// with prefix.
func (d *jsonDoc) check(command, section, prefix string, object map[string]any) {
	for name, value := range object {
		path := prefix + name
		f, ok := d.fields[section][path]
		if !ok {
			d.fail("%s prints %q (%s), which the section %q does not have", command, path, jsonType(value), section)
			continue
		}
		d.seen[section+" "+path] = true
		got := jsonType(value)
		inner, isObject := value.(map[string]any)
		switch {
		case f.section != "" && isObject:
			d.check(command, f.section, "", inner)
			continue
		case isObject:
			d.check(command, section, path+".", inner)
		}
		for _, e := range asList(value) {
			if inner, ok := e.(map[string]any); ok {
				d.check(command, section, path+"[].", inner)
			}
		}
		if !slices.Contains(f.types, got) && (got != "empty" || !strings.HasSuffix(f.types[0], "s")) {
			d.fail("%s prints %q as %s, and the section %q says %s", command, path, got, section, strings.Join(f.types, " or "))
		}
	}
	for path, f := range d.fields[section] {
		rest, below := strings.CutPrefix(path, prefix)
		if _, there := object[rest]; below && !strings.ContainsAny(rest, ".[") && !f.optional && !there {
			d.fail("%s does not print %q, which the section %q does not call optional", command, path, section)
		}
	}
}

func asList(value any) []any {
	list, _ := value.([]any)
	return list
}

// jsonType returns the type of a value in the words of the page.
func jsonType(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "bool"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		if len(v) == 0 {
			return "empty"
		}
		return jsonType(v[0]) + "s"
	}
	return "object"
}

// run runs a command and compares its records with a section, or with that of their kind.
func (d *jsonDoc) run(t *testing.T, section string, code int, args ...string) {
	var stderr strings.Builder
	command := exec.Command("yomikiri", append(args, "--json")...)
	command.Stderr = &stderr
	out, err := command.Output()
	require.Equal(t, code, command.ProcessState.ExitCode(), "%s: %v: %s", args, err, &stderr)
	require.NotEmpty(t, out, "%s", args)
	for line := range strings.Lines(string(out)) {
		var record map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &record), "%s: %s", args, line)
		of := section
		switch {
		case record["set"] != nil:
			of = "set"
		case record["problems_with"] != nil:
			of = "tsume judge total"
		case record["mean_loss"] != nil:
			of = "reviewed game"
		}
		d.check(strings.Join(args[:min(2, len(args))], " "), of, "", record)
	}
}

// TestJSONPublish does for publish what TestJSON does for the other commands. The command builds a program for js/wasm,
// which takes long unless it has been built before.
func TestJSONPublish(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the reader of published sites")
	}
	source, err := filepath.Abs("../..")
	require.NoError(t, err)
	d := readJSONDoc(t)
	t.Chdir(t.TempDir())
	require.NoError(t, exec.Command("yomikiri", "solve", "tictactoe").Run())
	d.run(t, "publish", 0, "publish", "tictactoe", "--out", "site", "--source", source)
	for path := range d.fields["publish"] {
		if !d.seen["publish "+path] {
			d.fail("publish does not print %q", path)
		}
	}
	require.Empty(t, strings.Join(slices.Sorted(maps.Keys(d.wrong)), "\n"), "docs/json.md")
}

// TestJSON runs commands with --json and compares what they print with docs/json.md: each
// field is there, with its type, and each that is there is printed.
func TestJSON(t *testing.T) {
	d := readJSONDoc(t)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("set.sfen", []byte("4k4/9/4P4/9/9/9/9/9/9 b 2G\t1\tone\n"), 0o600))
	require.NoError(t, os.WriteFile("ruled.ini", []byte("[ruled:hexapawn]\nnMoveRule = 50\n"), 0o600))
	require.NoError(t, os.WriteFile("two.sfen", []byte("4k4/9/4P4/9/9/9/9/9/9 b G\n8k/9/8G/9/9/9/9/9/9 b G\n"), 0o600))
	require.NoError(t, os.Mkdir("proofs", 0o700))
	require.NoError(t, os.WriteFile("far.txt", []byte("B:WK2:BK7\nB:WK2,5:BK4,K7\n"), 0o600))
	require.NoError(t, os.WriteFile("game.pdn", []byte("[FEN \"B:WK2,5:BK4,K7\"]\n1. 4-6 *\n"), 0o600))
	require.NoError(t, os.WriteFile("game.usi", []byte("position startpos moves 7g7f 3c3d 8h3c+ 2b3c 8i7g 3c7g+ 2h6h B*3h 3i2h 3h4g+ 7i8h 7a7b 2g2f N*2g 6g6f 3a2b 6f6e 7g8g 6h6f 4a3a\n"), 0o600))
	require.NoError(t, os.WriteFile("won.pdn", []byte("[FEN \"B:WK2,5:BK4,K7\"]\n[Result \"1-0\"]\n1. 4-8 1-0\n"), 0o600))
	require.NoError(t, os.WriteFile("resigned.csa", []byte("V2.2\nN+a\nN-b\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n"), 0o600))
	require.NoError(t, os.WriteFile("broken.pdn", []byte("1. 11-15 11-15 *\n"), 0o600))
	for _, c := range []struct {
		section string // of the records on standard output
		args    string // separated by blanks; ~ stands for one
		code    int
	}{
		{"solve", "solve tictactoe", 0},
		{"solve", "solve gomoku --size 3x3 --k 3", 0},
		{"solve", "solve awari --stones 4", 0},
		{"solve", "solve checkers --size 4x4 --pieces 3", 0},
		{"db compact", "db compact checkers-size-4x4.db small.db --results", 0},
		{"db export", "db export checkers-size-4x4.db all.csv", 0},
		{"db export", "db export small.db small.parquet --columns value,text --where value<win", 0},
		{"query", "query checkers:size=4x4 W:WK5:BK4 --db small.db", 0},
		{"db pack", "db pack tictactoe.db one.packed", 0},
		{"db digest", "db digest tictactoe.db", 0},
		{"stats", "stats one.packed", 0},
		{"stats", "stats tictactoe", 0},
		{"solve", "solve tictactoe --nodes 2 --threads 1 --db nodes.db", 0},
		{"verify", "verify tictactoe", 0},
		{"verify", "verify awari:stones=4 --sample 100", 0},
		{"games", "games", 0},
		{"games", "games xiangqi", 0},
		{"solve", "solve ruled --variants ruled.ini", 0},
		{"query", "query ruled startpos --variants ruled.ini", 0},
		{"stats", "stats ruled --variants ruled.ini", 0},
		{"analyze", "analyze ruled startpos moves b1b2 --leaves 50 --variants ruled.ini", 0},
		{"query", "query tictactoe startpos", 0},
		{"query", "query tictactoe --value draw --limit 2", 0},
		{"puzzles", "puzzles tictactoe --count 5", 0},
		{"file of puzzles", "puzzles tictactoe --count 5 --out tictactoe.puzzles", 0},
		{"query", "query awari 0,0,0,0,0,1,1,0,0,0,0,2", 0},
		{"query", "query checkers:size=4x4 --file far.txt", 3},
		{"query", "query checkers:size=4x4 --file game.pdn", 0},
		{"analyze", "analyze connect4:size=4x4 startpos moves a b a b a d --leaves 50", 0},
		{"analyze", "analyze tictactoe startpos moves a1 c3 b1 --db tictactoe.db", 0},
		{"analyze", "analyze dobutsu startpos moves b3b2 --leaves 50", 0},
		{"analyze", "analyze shogi game.usi --leaves 1", 0},
		{"analyze", "analyze won.pdn --leaves 20", 0},
		{"analyze", "analyze shogi resigned.csa --leaves 1", 0},
		{"analyze", "analyze broken.pdn --leaves 20", 2},
		{"match", "match tictactoe nodes=50 nodes=20 --games 2 --db tictactoe.db", 0},
		{"match", "match connect4:size=4x4 nodes=50 nodes=20 --games 4", 0},
		{"train", "train connect4:size=4x4 --self-play 20 --nodes 20 --epochs 1 --out new.weights", 0},
		{"making a book", "train connect4:size=4x4 --book games.book --self-play 40 --nodes 20 --search 100 --margin 1000", 0},
		{"opening book", "train connect4:size=4x4 --book games.book --print", 0},
		{"making a book", "train tictactoe --book grown.book --db tictactoe.db", 0},
		{"opening book", "train tictactoe --book grown.book --print", 0},
		{"prove", "prove tictactoe --proof draw.proof", 0},
		{"prove", "prove gomoku:size=6x6,k=4 --proof win.proof", 0},
		{"prove", "prove othello:size=4x4 --method best-first --proof score.proof", 0},
		{"prove", "prove othello:size=4x4 --tree score.tree --proof tree.proof", 0},
		{"prove", "prove awari:stones=6 1,0,0,0,0,2,0,2,0,1,0,0 --method df-pn --memory 1MiB", 3},
		{"prove", "prove gomoku:size=4x4 --tree tree --budget 20", 0},
		{"prove", "prove tictactoe .../.../..x --tree image", 0},
		{"prove", "prove gomoku:size=7x8 --tree open --budget 20 --time 500ms", 3},
		{"tree", "tree tree", 0},
		{"tree", "tree open", 0},
		{"check", "check draw.proof", 0},
		{"prove", "prove checkers:size=4x4 B:WK2,5:BK4,K7 --method df-pn --db checkers:size=4x4 --proof rests.proof", 0},
		{"check", "check rests.proof --db checkers:size=4x4", 0},
		{"check", "check tree.proof", 0},
		{"prove", "prove ruled --method df-pn --proof ruled.proof --variants ruled.ini", 0},
		{"check", "check ruled.proof", 0},
		{"gomoku", "gomoku 15/15/15/15/15/6o8/5o9/6xxx6/7o7/15/15/15/15/15/15~x", 0},
		{"gomoku", "gomoku startpos --size 5x5", 0},
		{"gomoku", "gomoku --size 3x3 --k 3 xxx/oo1/3~o", 0},
		{"tsume", "tsume --certain --shortest --all-first-moves set.sfen", 0},
		{"tsume", "tsume --proof mate.proof 4k4/9/4P4/9/9/9/9/9/9~b~2G2P", 0},
		{"tsume", "tsume --kif mate.kif 9/k8/9/s8/3P5/3B5/9/9/9~b~RG", 0},
		{"tsume judge", "tsume --judge --superfluous --proofs proofs set.sfen", 0},
		{"tsume judge", "tsume --judge 4k4/9/4P4/9/9/9/9/9/9~b~2G~moves~G*5b", 0},
		{"tsume judge", "tsume --judge --certain 4k4/9/4P4/9/9/9/9/9/9~b~G", 0},
		{"tsume judge", "tsume --judge --nodes 1 4k4/9/4P4/9/9/9/9/9/9~b~2G2R", 3},
		{"tsume judge", "tsume --judge two.sfen", 0},
		{"tsume judge", "tsume --judge --first-fault 4k4/9/4P4/9/9/9/9/9/9~b~2G~moves~G*4b", 0},
		{"tsume judge", "tsume --judge --rules default,interposition=checker 9/9/6Bnl/8k/R6p1/9/9/9/9~b~rb4g4s3n3l17p", 0},
		{"tsume brinkmate", "tsume --brinkmate 2 7kl/9/9/9/9/9/9/9/9~b~GSN", 0},
		{"tsume brinkmate", "tsume --brinkmate 1 7kl/9/9/9/9/9/9/9/9~b~S", 0},
		{"tsume brinkmate", "tsume --brinkmate 1 set.sfen", 0},
		{"tsume goal", "tsume --helpmate 1 set.sfen", 0},
		{"tsume goal", "tsume --helpmate 5 --solutions 1 9/9/9/9/9/9/9/6k2/9~b~R", 0},
		{"tsume goal", "tsume --helpmate 5 4k4/9/9/9/9/9/9/9/9~b~P", 0},
		{"tsume goal", "tsume --helpmate 3 4k4/9/9/9/9/9/9/9/9~b~-", 0},
		{"tsume goal", "tsume --helpmate 9 --nodes 100 4k4/9/9/9/9/9/9/9/9~b~2R", 3},
		{"tsume goal", "tsume --selfmate 4 5g1ks/4R4/6K2/4s3r/9/9/9/9/9~b~Pnl", 0},
		{"tsume goal", "tsume --selfmate 2 9/9/9/6lnl/5p2k/6Rpp/5PKP1/5LPL1/9~b~n", 0},
		{"tsume goal", "tsume --helpselfmate 2 9/9/9/6lnl/5p2k/6Rpp/5PKP1/5LPL1/9~b~n", 0},
		{"bench perft", "bench perft tictactoe --depth 2", 0},
		{"bench probes", "bench probes small.db --against checkers-size-4x4.db --probes 10", 0},
		{"bench retro", "bench retro tictactoe --time 1ms --probes 10", 0},
		{"bench tsume", "bench tsume set.sfen --threads 1 --shortest", 0},
	} {
		args := strings.Fields(c.args)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "~", " ")
		}
		d.run(t, c.section, c.code, args...)
	}

	// What these commands do not print.
	unseen := map[string]bool{
		"verify problem":              true, // of a damaged database
		"query error":                 true, // the same
		"solve content.numbering":     true,
		"stats content.numbering":     true,
		"check ahead":                 true,
		"proof file ahead":            true,
		"tsume longer_than":           true,
		"tsume tail":                  true,
		"tsume composed":              true,
		"tsume cut":                   true,
		"tsume composed_line":         true,
		"tsume alternatives":          true,
		"tsume incomplete":            true,
		"tsume brinkmate tail":        true,
		"tsume judge faults[].square": true,
		"tsume judge open":            true,
		"tsume judge format":          true, // in the file of --results
		"tsume judge by":              true, // the same
		"tsume judge sum":             true, // the same
		"bench tsume composed":        true,
		"bench tsume timed_out":       true,
		"prove not_verified":          true,
		"match log_likelihood_ratio":  true,
		"match verdict":               true,
		"opening book rules":          true, // of a game from a file
		"opening book moves[].lost":   true, // in a game that another one won by the same move
		"analyze plies_lost":          true,
		"match endings.resignation":   true,
		"match endings.repetition":    true,
		"match endings.length":        true,
		"match endings.database":      true,
		"match endings.time":          true,
		"match endings.illegal move":  true,
		"match endings.declaration":   true,
		"match endings.crash":         true,
		"match forfeits":              true,
		"match left":                  true,
		"tree not_verified":           true,
	}
	for section, fields := range d.fields {
		for path := range fields {
			above, _, _ := strings.Cut(path, "[")
			key := section + " " + path
			other := strings.NewReplacer("solve ", "stats ", "stats ", "solve ").Replace(key) // one table
			if section != "progress" && section != "publish" && !d.seen[key] && !d.seen[other] && !unseen[key] && !unseen[section+" "+above] && !unseen[other] {
				d.fail("no command prints %q, which the section %q has", path, section)
			}
		}
	}
	require.Empty(t, strings.Join(slices.Sorted(maps.Keys(d.wrong)), "\n"), "docs/json.md")
}
