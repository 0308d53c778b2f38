package shogi

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cmd/prooffile"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	shogirecord "github.com/yomikiri/yomikiri/games/shogi/record"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// tsumeJudge are the flags of tsume that are about judging.
type tsumeJudge struct {
	judge       bool
	rules       tsume.Rules
	firstFault  bool
	superfluous bool
	book        string // file
	proofs      string // directory
	results     string // file
}

func (o *tsumeJudge) addFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.judge, "judge", false, "judge problems: sound, or each fault with its place and a line of play")
	ui.CheckedFlag(flags, "rules", "house", tsume.DefaultHouse, "with --judge, the rules to judge by: "+strings.Join(tsume.HouseNames(), ", ")+", perhaps followed by points that are to be otherwise, as in phone,last-move=unsound", func(text string) (err error) {
		o.rules, err = tsume.ParseRules(text)
		return err
	})
	flags.BoolVar(&o.firstFault, "first-fault", false, "with --judge, end with the first fault that makes a problem unsound")
	flags.BoolVar(&o.superfluous, "superfluous", false, "with --judge, find superfluous pieces of sound problems")
	ui.FileFlag(flags, &o.book, "book", false, "with --judge, write the main line with all variations and faults, in KIF; of several problems to a file each, as in book-1.kif")
	ui.CheckedFlag(flags, "proofs", "directory", "", "with --judge, write a proof of each mate that is named to a directory", func(text string) error {
		o.proofs = text
		return ui.CheckOutput(filepath.Join(text, "x"), true)
	})
	ui.FileFlag(flags, &o.results, "results", true, "with --judge, append the results to a file, as JSON records; problems that it has decided, with all that is asked, are not judged again")
}

// judgedFlags are the flags that only go with --judge, and notJudgedFlags those that do not go
// with it.
var (
	judgedFlags    = []string{"rules", "first-fault", "superfluous", "book", "proofs", "results"}
	notJudgedFlags = []string{"shortest", "all-first-moves", "alternatives", "kif", "count-futile", "composed", "proof", "checkpoint", "checkpoint-every"}
)

// check fails if the flags do not go together.
func (o *tsumeJudge) check(flags *pflag.FlagSet) error {
	for _, name := range judgedFlags {
		if !o.judge && flags.Changed(name) {
			return ui.Usage(errJudgeOnly.Error(name))
		}
	}
	for _, name := range notJudgedFlags {
		if o.judge && flags.Changed(name) {
			return ui.Usage(errTogether.Error("judge", name))
		}
	}
	if o.book != "" && o.results != "" {
		return ui.Usage(errBookResults.Error())
	}
	return nil
}

// problemJudge judges problems and prints the results.
type problemJudge struct {
	tsumeJudge
	*tsumeCommand
	// verdict is [tsume.Judge], except in tests.
	verdict func(ctx context.Context, p tsume.Problem, line []shogi.Move, table *dfpn.Table, o tsume.JudgeOptions) (tsume.Judgement, error)
	done    map[string]judgedProblem // decided before, by problem
	results *results                 // nil if there is none
	total   judgeTotal
}

func newProblemJudge(c *tsumeCommand, o tsumeJudge) *problemJudge {
	return &problemJudge{tsumeJudge: o, tsumeCommand: c, verdict: tsume.Judge, total: judgeTotal{Faults: []judgeCount{}}}
}

// run judges all problems, one on each thread, and prints the results in the order of the
// problems.
func (j *problemJudge) run(ctx context.Context) (err error) {
	c := j.tsumeCommand
	if err := j.open(); err != nil {
		return err
	}
	if j.results != nil {
		defer func() { err = errors.Join(err, j.results.Close()) }()
	}
	workers, shared, err := c.share()
	if err != nil {
		return err
	}
	options := tsume.JudgeOptions{
		Threads: shared.Threads, Nodes: shared.Nodes, Time: shared.Time, Progress: shared.Progress,
		Rules: j.rules, FirstFault: j.firstFault, Superfluous: j.superfluous, Variations: j.book != "", Certain: shared.Certain,
	}
	failure := tsume.Each(ctx, c.input.problems, workers, int64(c.memory), func(ctx context.Context, e tsume.Entry, table *dfpn.Table) (judged, error) {
		return j.solve(ctx, &e, table, options)
	}, func(e tsume.Entry, r judged) error { return j.write(&e, r) })
	c.progress.Done()
	if err := c.ended(ctx, j.total.Problems, failure); err != nil {
		return err
	}
	if j.total.Problems > 1 {
		j.total.sort()
		if err := j.Write(j.out, &j.total, j.total.text(j.tsumeCommand)); err != nil {
			return err
		}
	}
	return c.unanswered(j.total.Problems, j.total.NotDecided, errNotJudged)
}

// batchTime limits each of several problems that are judged without a limit.
const batchTime = time.Second

// errNotJudged is returned when a limit was reached before all verdicts were known.
var errNotJudged = ui.UnknownError(sayNotJudged.Error())

// judged is the judgement of a problem.
type judged struct {
	tsume.Judgement
	unreadable error // why there is none
	again      *judgedProblem
	proofs     []string
	sums       []string // of proofs
}

// problemKey identifies a problem with its intended line or declared length, and the rules that it is judged by.
// The side to move attacks.
func problemKey(sfen string, intended []string, declared int, rules string) string {
	return fmt.Sprint(sfen, intended, declared, rules)
}

func (j *problemJudge) key(e *tsume.Entry) string {
	return problemKey(e.Position.SFEN(), usiMoves(e.Moves), e.Declared, j.rules.String())
}

func usiMoves(line []shogi.Move) []string {
	var texts []string
	for _, m := range line {
		texts = append(texts, m.String())
	}
	return texts
}

// judgeFormat is the format of the files of results.
const judgeFormat = "tsume judge 2"

// open reads the file of results, if there is one, and opens it to append to it.
func (j *problemJudge) open() (err error) {
	j.done = map[string]judgedProblem{}
	if j.tsumeJudge.results == "" {
		return nil
	}
	j.results, err = openResults(j.tsumeJudge.results, judgeFormat, func(old judgedProblem) error {
		switch old.Verdict {
		case "":
			return errNoJudgement.Error()
		case tsume.NotDecided.String():
		default:
			j.done[problemKey(old.SFEN, old.Intended, old.Declared, old.Rules)] = old
		}
		return nil
	}, j.input.complain, `{"id":`, `{"sfen":`)
	return err
}

// answers reports whether a decided record of the file of results has all that is asked now.
func (j *problemJudge) answers(old *judgedProblem) bool {
	if old.Verdict == tsume.Sound.String() && (j.superfluous && !old.Superfluous || j.options.Certain && !old.Certain) {
		return false
	}
	if old.FirstFault && !j.firstFault {
		return false
	}
	return j.proofs == "" || old.Proofs != nil && old.hasProofs() && !slices.ContainsFunc(old.Proofs, func(path string) bool {
		return filepath.Dir(path) != filepath.Clean(j.proofs)
	})
}

// hasProofs reports whether the proofs of a record are as they were written.
func (r *judgedProblem) hasProofs() bool {
	for i, path := range r.Proofs {
		sum, err := fileSum(path)
		if err != nil || i >= len(r.ProofSums) || sum != r.ProofSums[i] {
			return false
		}
	}
	return true
}

// fileSum returns the SHA-256 of a file.
func fileSum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return fmt.Sprintf("%x", h.Sum(nil)), err
}

// solve judges a problem and writes the proofs of the mates.
func (j *problemJudge) solve(ctx context.Context, e *tsume.Entry, table *dfpn.Table, options tsume.JudgeOptions) (r judged, err error) {
	if old, ok := j.done[j.key(e)]; ok && !e.Defends && j.answers(&old) { // Judge refuses if the defender is to move
		old.ID = e.ID // the same problem may have had another
		if !old.hasProofs() {
			old.Proofs, old.ProofSums = nil, nil
		}
		return judged{again: &old}, nil
	}
	if len(e.Moves) == 0 && e.MovesErr != nil {
		return judged{unreadable: e.MovesErr}, nil
	}
	options.Declared = e.Declared
	r.Judgement, err = j.verdict(ctx, e.Problem, e.Moves, table, options)
	switch {
	case errors.Is(err, solver.ErrContradiction):
		return r, err
	case err != nil:
		return judged{unreadable: errors.Join(err, e.MovesErr)}, nil
	}
	if j.proofs == "" {
		return r, nil
	}
	r.proofs = []string{}
	name := strings.Map(func(letter rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, letter) {
			return '-'
		}
		return letter
	}, e.ID)
	if name == "" {
		name = "problem"
	}
	// Problems of several files, or runs, may have the same id.
	name += fmt.Sprintf("-%08x", crc32.ChecksumIEEE([]byte(j.key(e))))
	write := func(p tsume.Problem, suffix string) {
		path := filepath.Join(j.proofs, name+suffix+".proof")
		_, failure := prooffile.Write(path, tsume.ProofHeader(p), j.progress, func(w *proof.Writer) error {
			_, err := tsume.WriteProof(ctx, w, p, table, tsume.Options{Futile: j.rules.Futile()})
			return err
		}, nil)
		if failure == nil {
			var sum string
			sum, failure = fileSum(path)
			r.proofs, r.sums = append(r.proofs, path), append(r.sums, sum)
		}
		err = errors.Join(err, failure)
	}
	if len(r.Line) > 0 && !slices.ContainsFunc(r.Faults, func(f tsume.Fault) bool { return f.Kind == tsume.NoMate }) &&
		!slices.ContainsFunc(r.Open, func(q tsume.OpenQuestion) bool { return q.Kind == tsume.NoMate }) {
		write(e.Problem, "")
	}
	for _, f := range r.Faults {
		if len(f.Line) == 0 || f.Move == shogi.NoMove {
			continue
		}
		b := shogi.NewBoard(e.Position)
		for _, m := range append(slices.Clone(r.Line[:f.Ply]), f.Move) {
			b.Do(m)
		}
		p := tsume.Problem{Position: b.Position(), Defends: b.Turn() != e.Attacker()}
		write(p, fmt.Sprintf("-%d-%s", f.Ply+1, strings.ReplaceAll(f.Move.String(), "*", "")))
	}
	return r, err
}

// write prints the judgement of a problem.
func (j *problemJudge) write(e *tsume.Entry, r judged) error {
	j.progress.Done()
	if r.unreadable != nil {
		return j.input.refuse(*e, r.unreadable)
	}
	out := r.again
	if out == nil {
		out = j.record(e, &r)
		if j.results != nil {
			if err := j.results.add(j.machine(out, e, &r)); err != nil {
				return err
			}
		}
	}
	j.total.add(out)
	if err := j.writeBook(e, &r.Judgement); err != nil {
		return err
	}
	out.Hands = e.Hands.String() // it may have been decided with hands that were written out
	text := idText(out.ID) + out.text(j.tsumeCommand, e.Hands)
	for _, p := range out.Proofs {
		text += "    " + j.say(sayProof, p)
	}
	err := j.Write(j.out, out, text)
	j.showCount(j.total.Problems, j.total.NotDecided)
	return err
}

// machine returns a record as the file of results has it: in the notation of USI.
func (j *problemJudge) machine(out *judgedProblem, e *tsume.Entry, r *judged) *judgedProblem {
	if j.notation == "usi" {
		return out
	}
	plain := *j.tsumeCommand
	plain.notation = "usi"
	return (&problemJudge{tsumeJudge: j.tsumeJudge, tsumeCommand: &plain}).record(e, r)
}

// judgedProblem is a judgement as JSON.
type judgedProblem struct {
	ID          string       `json:"id,omitempty"`
	SFEN        string       `json:"sfen"`
	Hands       string       `json:"hands,omitempty"`
	Declared    int          `json:"declared,omitempty"`
	Intended    []string     `json:"intended,omitempty"`
	Superfluous bool         `json:"superfluous,omitempty"` // superfluous pieces were asked for
	FirstFault  bool         `json:"first_fault,omitempty"` // no more than one fault was asked for
	Rules       string       `json:"rules"`
	Verdict     string       `json:"verdict"`
	Decided     *judgeRule   `json:"decided_by,omitempty"` // what makes the problem unsound
	Certain     bool         `json:"certain,omitempty"`    // sound by a second judgement with other keys too
	Length      int          `json:"length,omitempty"`     // of the main line
	Line        []string     `json:"line,omitempty"`
	Unfinished  bool         `json:"unfinished,omitempty"` // the intended line does not end with mate
	InHand      string       `json:"in_hand,omitempty"`
	Faults      []judgeFault `json:"faults,omitempty"`
	Open        []judgeOpen  `json:"open,omitempty"`
	Proofs      []string     `json:"proofs,omitzero"` // files; empty if there is no mate to prove
	ProofSums   []string     `json:"proof_sums,omitempty"`
	Nodes       uint64       `json:"nodes"`
	Seconds     float64      `json:"seconds"`
	Full        float64      `json:"table_full"`
}

// judgeRule is a point of the rules, and what decides it: the house, default where the house is silent, or
// chosen.
type judgeRule struct {
	Point string `json:"point"`
	By    string `json:"by"`
}

type judgeFault struct {
	Kind     string     `json:"kind"`
	Japanese string     `json:"japanese"`
	Grade    string     `json:"grade"`
	Rule     *judgeRule `json:"rule,omitempty"` // missing where all agree
	judgePlace
	Also   []string `json:"also,omitempty"` // moves that are the same fault: other pieces dropped on the square, or the move without promotion
	Length int      `json:"length,omitempty"`
	Exact  bool     `json:"exact,omitempty"`
	Line   []string `json:"line,omitempty"`
}

type judgeOpen struct {
	Kind string `json:"kind"`
	judgePlace
}

// judgePlace is where a fault is: a move, or a piece that is superfluous; empty if it is one of the whole
// problem.
type judgePlace struct {
	Ply    int    `json:"ply,omitempty"` // from 1
	Move   string `json:"move,omitempty"`
	Square string `json:"square,omitempty"`
}

func (p judgePlace) text(c *tsumeCommand) string {
	switch {
	case p.Square != "":
		return c.say(saySquare, p.Square)
	case p.Ply > 0:
		return c.say(sayMove, p.Ply, p.Move)
	}
	return ""
}

func (j *problemJudge) record(e *tsume.Entry, r *judged) *judgedProblem {
	out := &judgedProblem{
		ID: e.ID, SFEN: e.Position.SFEN(), Hands: e.Hands.String(), Declared: e.Declared, Intended: usiMoves(e.Moves), Superfluous: j.superfluous, FirstFault: j.firstFault, Rules: j.rules.String(), Verdict: r.Verdict.String(), Unfinished: r.Unfinished, Certain: r.Certain,
		Length: len(r.Line), InHand: j.inHand(r.InHand), Proofs: r.proofs, ProofSums: r.sums, Nodes: r.Nodes,
		Seconds: math.Round(r.Time.Seconds()*1e6) / 1e6, Full: r.Full,
	}
	if len(r.Line) > 0 {
		out.Line = j.moves(e.Position, r.Line)
	}
	after := func(ply int, moves ...shogi.Move) []string { return j.movesAfter(e.Position, r.Line, ply, moves...) }
	place := func(kind tsume.FaultKind, ply int, m shogi.Move, s shogi.Square) (p judgePlace) {
		switch {
		case kind == tsume.Superfluous:
			p.Square = squareName(s)
		case m != shogi.NoMove:
			p.Ply, p.Move = ply+1, after(ply, m)[0]
		}
		return p
	}
	for i, f := range r.Faults {
		g := judgeFault{Kind: f.Kind.String(), Japanese: f.Kind.Japanese(), Grade: f.Grade.String(), judgePlace: place(f.Kind, f.Ply, f.Move, f.Square), Length: f.Length, Exact: f.Exact}
		if f.Point != tsume.NoPoint {
			g.Rule = &judgeRule{f.Point.String(), f.By}
		}
		if i == 0 && f.Grade == tsume.Unsound {
			out.Decided = g.Rule
		}
		if i > 0 && sameDefence(&f, &r.Faults[i-1]) {
			before := &out.Faults[len(out.Faults)-1]
			before.Also = append(before.Also, g.Move)
			continue
		}
		if g.Move != "" && len(f.Line) > 0 {
			g.Line = after(f.Ply, f.Line...)
		}
		out.Faults = append(out.Faults, g)
	}
	for _, q := range r.Open {
		out.Open = append(out.Open, judgeOpen{q.Kind.String(), place(q.Kind, q.Ply, q.Move, q.Square)})
	}
	return out
}

// squareName returns the name of a square as USI has it.
func squareName(s shogi.Square) string {
	return string([]byte{'0' + byte(s.File()), 'a' - 1 + byte(s.Rank())})
}

// headline is the verdict, what decides it, and how the main line ends.
func (r *judgedProblem) headline(c *tsumeCommand) string {
	var b strings.Builder
	verdict := c.say(sayVerdict, verdictWord(r.Verdict))
	switch r.Verdict {
	case tsume.Sound.String():
		verdict = c.paint.Good(verdict)
	case tsume.Faulty.String():
		verdict = c.paint.Bad(verdict)
	}
	b.WriteString(verdict)
	switch {
	case r.Decided != nil:
		b.WriteString(c.say(sayRule, byWord(r.Decided.By), pointWord(r.Decided.Point)))
	case r.Rules != tsume.DefaultHouse:
		b.WriteString(c.say(sayHouse, r.Rules))
	}
	b.WriteString(c.confirmed(r.Certain, r.Certain))
	if r.Length > 0 {
		b.WriteString(c.say(sayThen, c.plies(r.Length)))
	}
	if r.Declared > 0 && r.Length > 0 && r.Declared != r.Length {
		b.WriteString(c.say(sayDeclared, r.Declared))
	}
	if r.InHand != "" {
		b.WriteString(c.say(sayInHand, r.InHand))
	}
	return b.String()
}

// text describes the judgement in lines of text.
func (r *judgedProblem) text(c *tsumeCommand, hands shogi.Hands) string {
	var b strings.Builder
	b.WriteString(r.headline(c))
	b.WriteString(c.cost(r.Nodes, r.Seconds))
	if len(r.Line) > 0 {
		b.WriteString("  " + strings.Join(r.Line, " "))
	}
	b.WriteString("\n" + c.handsLine(hands))
	for _, f := range r.Faults {
		b.WriteString(f.text(c, r.Rules) + "\n")
	}
	b.WriteString(r.openText(c))
	return b.String()
}

// text describes a fault in a line of text.
func (f *judgeFault) text(c *tsumeCommand, rules string) string {
	var b strings.Builder
	b.WriteString(c.say(sayFault, gradeWord(f.Grade), kindWord(f.Kind), f.Japanese) + f.judgePlace.text(c))
	if f.Length > 0 && f.Exact {
		b.WriteString(c.say(sayThen, c.plies(f.Length)))
	} else if f.Length > 0 {
		b.WriteString(c.say(sayThenAtMost, c.plies(f.Length)))
	}
	if len(f.Line) > 0 {
		b.WriteString("  " + strings.Join(f.Line, " "))
	}
	if len(f.Also) > 0 {
		b.WriteString("  (" + strings.Join(f.Also, " ") + ")")
	}
	if f.Rule != nil && rules != tsume.DefaultHouse {
		b.WriteString(c.say(sayBracket, byWord(f.Rule.By), pointWord(f.Rule.Point)))
	}
	return b.String()
}

// sameDefence reports whether a fault is the same as the one before it, with another piece dropped on the same
// square, or with or without promotion.
func sameDefence(f, before *tsume.Fault) bool {
	m, n := f.Move, before.Move
	if m == shogi.NoMove || n == shogi.NoMove || m.To() != n.To() || m.IsDrop() != n.IsDrop() || !m.IsDrop() && m.From() != n.From() {
		return false
	}
	return f.Ply%2 == 1 && f.Ply == before.Ply && f.Kind == before.Kind && f.Grade == before.Grade && f.Length == before.Length
}

// openText describes what is not decided: of each kind, how much and where it begins.
func (r *judgedProblem) openText(c *tsumeCommand) string {
	var b strings.Builder
	for i, q := range r.Open {
		same := func(p judgeOpen) bool {
			whole := q.Move == "" && q.Square == ""
			return whole == (p.Move == "" && p.Square == "") && (whole || p.Kind == q.Kind)
		}
		if slices.ContainsFunc(r.Open[:i], same) {
			continue
		}
		n, first := 0, q
		for _, p := range r.Open[i:] {
			if same(p) {
				n++
			}
			if same(p) && p.Ply < first.Ply {
				first = p
			}
		}
		switch {
		case q.Move == "" && q.Square == "" && q.Kind == tsume.NoMate.String() && r.Length == 0:
			b.WriteString(c.say(sayOpenMate))
		case q.Move == "" && q.Square == "":
			b.WriteString(c.say(sayOpenLine))
		case n == 1:
			b.WriteString(c.say(sayOpen, kindWord(q.Kind), q.judgePlace.text(c)))
		default:
			b.WriteString(c.say(sayOpenMoves, kindWord(q.Kind), n, first.judgePlace.text(c)))
		}
	}
	return b.String()
}

// judgeTotal is the summary of many problems.
type judgeTotal struct {
	Problems   int          `json:"problems"`
	Sound      int          `json:"sound"`
	Unsound    int          `json:"unsound"`
	NotDecided int          `json:"not_decided"`
	Faults     []judgeCount `json:"problems_with"`
}

// judgeCount says how many problems have a fault of a kind.
type judgeCount struct {
	Kind     string `json:"kind"`
	Japanese string `json:"japanese"`
	Problems int    `json:"problems"`
}

func (t *judgeTotal) add(r *judgedProblem) {
	t.Problems++
	switch r.Verdict {
	case tsume.Sound.String():
		t.Sound++
	case tsume.Faulty.String():
		t.Unsound++
	default:
		t.NotDecided++
	}
	for i, f := range r.Faults {
		if slices.ContainsFunc(r.Faults[:i], func(g judgeFault) bool { return g.Kind == f.Kind }) {
			continue
		}
		at := slices.IndexFunc(t.Faults, func(c judgeCount) bool { return c.Kind == f.Kind })
		if at < 0 {
			at = len(t.Faults)
			t.Faults = append(t.Faults, judgeCount{Kind: f.Kind, Japanese: f.Japanese})
		}
		t.Faults[at].Problems++
	}
}

// sort sorts the kinds of faults, the most frequent first.
func (t *judgeTotal) sort() {
	slices.SortStableFunc(t.Faults, func(c, d judgeCount) int { return d.Problems - c.Problems })
}

// text describes the summary in lines of text.
func (t *judgeTotal) text(c *tsumeCommand) string {
	text := c.say(sayTotal, t.Problems, t.Sound, t.Unsound, t.NotDecided)
	for _, f := range t.Faults {
		text += c.say(sayCount, f.Problems, kindWord(f.Kind), f.Japanese)
	}
	return text
}

// writeBook writes the record of a problem to the file of --book, or to one with its number if
// there are more problems: other programs read only one record of a file.
func (j *problemJudge) writeBook(e *tsume.Entry, r *tsume.Judgement) error {
	path := j.tsumeJudge.book
	if path == "" {
		return nil
	}
	if j.input.count != 1 {
		extension := filepath.Ext(path)
		path = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, extension), j.total.Problems, extension)
	}
	return ui.WriteFile(path, bookOf(e, r).AppendKIF(nil, j.encoding))
}

// bookOf returns a record with the main line, the variations and the faults.
func bookOf(e *tsume.Entry, r *tsume.Judgement) *shogirecord.Record {
	book := &shogirecord.Record{Start: e.Position, Moves: r.Line, Ending: shogirecord.Mated}
	if len(r.Line) == 0 {
		book.Ending = shogirecord.NoMate
	}
	verdict := r.Verdict.Japanese()
	if e.ID != "" {
		verdict = e.ID + "　" + verdict
	}
	if r.InHand != 0 {
		verdict += "　駒余り　" + r.InHand.Kanji()
	}
	book.Tags = append(slices.Clip(e.Tags), remark(verdict))
	for _, f := range r.Faults {
		if len(f.Line) > 0 && f.Move != shogi.NoMove {
			book.Variations = append(book.Variations, shogirecord.Variation{Ply: f.Ply, Moves: f.Line, Comments: [][]string{nil, {f.Kind.Japanese()}}})
		}
	}
	for _, v := range r.Variations {
		if !slices.ContainsFunc(book.Variations, func(w shogirecord.Variation) bool { return w.Ply == v.Ply && w.Moves[0] == v.Line[0] }) {
			book.Variations = append(book.Variations, shogirecord.Variation{Ply: v.Ply, Moves: v.Line})
		}
	}
	comment(book, e)
	return book
}
