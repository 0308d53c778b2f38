package variant

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// slot is a kind of piece that a section can have. Sets of kinds have a bit for each slot.
type slot uint8

// kindSet is a set of slots.
type kindSet uint64

// The slots that rules treat differently from others. The slot none stands for all pieces together in a set of kinds,
// written *.
const (
	none slot = 0
	pawn slot = 1
)

const customSlots = 25

// slots are the names of slots and how their pieces move; the pieces of custom slots move as a section says.
var slots = func() []struct{ name, betza string } {
	list := []struct{ name, betza string }{
		{"*", ""}, {"pawn", "fmWfceF"}, {"knight", "N"}, {"bishop", "B"}, {"rook", "R"}, {"queen", "Q"}, {"fers", "F"},
		{"alfil", "A"}, {"fersAlfil", "FA"}, {"silver", "FfW"}, {"aiwok", "RNF"}, {"bers", "RF"}, {"archbishop", "BN"},
		{"chancellor", "RN"}, {"amazon", "QN"}, {"knibis", "mNcB"}, {"biskni", "mBcN"}, {"kniroo", "mNcR"},
		{"rookni", "mRcN"}, {"shogiPawn", "fW"}, {"lance", "fR"}, {"shogiKnight", "fN"}, {"gold", "WfF"},
		{"dragonHorse", "BW"}, {"clobber", "cW"}, {"breakthrough", "fmWfF"}, {"immobile", ""}, {"cannon", "mRcpR"},
		{"janggiCannon", "pR"}, {"soldier", "fsW"}, {"horse", "nN"}, {"elephant", "nA"}, {"janggiElephant", "nZ"},
		{"banner", "RcpRnN"}, {"wazir", "W"}, {"commoner", "K"}, {"centaur", "KN"},
	}
	for i := range customSlots {
		list = append(list, struct{ name, betza string }{fmt.Sprintf("customPiece%d", i+1), ""})
	}
	return append(list, struct{ name, betza string }{"king", "K"})
}()

// slotOf returns the slot with a name.
func slotOf(name string) slot {
	i := slices.IndexFunc(slots, func(s struct{ name, betza string }) bool { return s.name == name })
	return slot(max(i, 0))
}

var (
	king         = slotOf("king")
	bishop       = slotOf("bishop")
	rook         = slotOf("rook")
	shogiPawn    = slotOf("shogiPawn")
	soldier      = slotOf("soldier")
	janggiCannon = slotOf("janggiCannon")
	immobile     = slotOf("immobile")
)

func kinds(list ...slot) (k kindSet) {
	for _, s := range list {
		k |= 1 << s
	}
	return k
}

func (k kindSet) has(s slot) bool { return k>>s&1 != 0 }

// result is what a rule gives the side to move, or the side that it speaks of.
type result int8

const (
	noResult result = iota
	win
	draw
	loss
	winNext // a win with the next move
)

var results = []string{"none", "win", "draw", "loss"}

// Names of rules that are words.
type (
	enclosing string // none, reversi, ataxx, quadwrangle, snort, anyside, top
	walling   string // none, arrow, duck, edge, past, static
	counting  string // none, janggi, unweighted, whitedrawodds, blackdrawodds
)

// Rules are the rules of a variant, after those of its parents.
type Rules struct {
	name         string
	files, ranks int
	letters      [64]byte   // by slot: the letter of the piece, 0 if the variant has none
	betza        [64]string // of custom slots, and of king if it does not move as a king
	start        string
	chess960     bool

	mobility [2][64]*region

	mainPawn               [2]slot
	promotionPawns         [2]kindSet
	promotionPieces        [2]kindSet
	promotionRegion        [2]region
	promotionLimit         [64]int
	promoted               [64]slot
	sittuyinPromotion      bool
	promotionOnCapture     bool
	mandatoryPawnPromotion bool
	mandatoryPromotion     bool
	demotion               bool

	blast          bool
	blastImmune    kindSet
	mutuallyImmune kindSet
	petrify        kindSet
	petrifyBlast   bool

	doubleStep       bool
	doubleStepRanks  [2]int // what older keys say
	doubleStepRegion [2]region
	tripleStepRegion [2]region
	enPassantRegion  [2]region
	enPassantKinds   [2]kindSet

	castling            bool
	castlingDropped     bool
	castlingFiles       [2]int // where the king goes, kingside and queenside
	castlingRank        int
	castlingKingFile    int
	castlingKing        [2]slot
	castlingRookFiles   [2]int
	castlingRooks       [2]kindSet
	oppositeCastling    bool
	castlingWins        [4]bool // white kingside and queenside, black kingside and queenside
	checking            bool
	dropChecks          bool
	mustCapture         bool
	mustDrop            bool
	mustDropKind        slot // none for all
	drops               bool
	dropLoop            bool
	capturesToHand      bool
	firstRankPawnDrops  bool
	promotionZoneDrops  bool
	enclosingDrop       enclosing
	enclosingStart      region
	dropRegion          [2]region
	sittuyinRookDrop    bool
	oppositeBishops     bool
	dropPromoted        bool
	noDoubled           slot
	noDoubledCount      int
	immobilityIllegal   bool
	gating              bool
	seirawan            bool
	walling             walling
	wallingRegion       [2]region
	wallOrMove          bool
	pass                [2]bool
	passOnStalemate     [2]bool
	makpong             bool
	flyingGeneral       bool
	soldierRank         int
	flip                enclosing
	freeDrops           bool // drops take nothing from the hand
	stalemate           result
	stalemateByCount    bool
	checkmate           result
	pawnDropMateIllegal bool
	extinction          result
	extinctionClaim     bool
	pseudoRoyal         bool
	dupleCheck          bool
	extinctionKinds     kindSet
	extinctionCount     int
	extinctionOpponent  int
	flagKind            [2]slot // none for all
	flagRegion          [2]region
	flagCount           int
	flagBlocked         bool
	flagMove            bool
	flagSafe            bool
	checkCounting       bool
	connect             int
	connectKinds        kindSet
	connectLines        [3]bool // horizontal, vertical, diagonal
	connectFrom         [2]region
	connectTo           [2]region
	connectSquare       int
	collinear           int
	connectValue        result
	material            counting
	fullBoardEnds       bool

	// history has the rules that depend on earlier positions: tables are made without them.
	history map[string]string
}

// chess is what a section without a parent begins with: the rules of chess without any piece.
func chess() *Rules {
	r := &Rules{
		files: 8, ranks: 8, start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		promotionRegion:        [2]region{ranks(8), ranks(1)},
		mandatoryPawnPromotion: true,
		doubleStep:             true, doubleStepRanks: [2]int{2, 2}, doubleStepRegion: [2]region{ranks(2), ranks(7)},
		enPassantRegion: [2]region{everywhere, everywhere},
		castling:        true, castlingFiles: [2]int{6, 2}, castlingKingFile: 4, castlingRookFiles: [2]int{maxFiles - 1, 0},
		castlingKing:  [2]slot{king, king},
		castlingRooks: [2]kindSet{kinds(rook), kinds(rook)},
		checking:      true, dropChecks: true,
		dropRegion: [2]region{everywhere, everywhere}, wallingRegion: [2]region{everywhere, everywhere},
		noDoubledCount: 1,
		stalemate:      draw, checkmate: loss, connectValue: win,
		flagCount: 1, connectKinds: ^kindSet(0), connectLines: [3]bool{true, true, true},
		enclosingDrop: "none", walling: "none", flip: "none", material: "none",
		history: map[string]string{},
	}
	for side := range 2 {
		r.mainPawn[side], r.promotionPawns[side], r.enPassantKinds[side] = pawn, kinds(pawn), kinds(pawn)
	}
	return r
}

// clone returns a copy.
func (r *Rules) clone() *Rules {
	c := *r
	c.history = maps.Clone(r.history)
	return &c
}

// kinds returns the slots of the pieces that the variant has.
func (r *Rules) slots() (list []slot) {
	for s, letter := range r.letters {
		if letter != 0 {
			list = append(list, slot(s))
		}
	}
	return list
}

// add gives the pieces of a slot a letter, and takes that letter from another slot.
func (r *Rules) add(s slot, letter byte) {
	for other, l := range r.letters {
		if l == letter {
			r.remove(slot(other))
		}
	}
	r.letters[s] = letter
}

func (r *Rules) remove(s slot) {
	r.letters[s] = 0
	for side := range 2 {
		r.promotionPieces[side] &^= kinds(s)
	}
}

// apply reads the keys of a section.
func (r *Rules) apply(s *section) error {
	values := map[string]entry{}
	for _, e := range s.entries {
		values[e.key] = e
	}
	failure := func(e entry, reason string) error {
		return &Error{File: s.file, Line: e.line, Section: s.name, Key: e.key, Reason: reason}
	}
	for _, e := range s.entries {
		if _, known := keyTable[e.key]; !known {
			return failure(e, "not a key that is understood"+games.DidYouMean(e.key, slices.Sorted(maps.Keys(keyTable))))
		}
	}
	for _, k := range keyList {
		e, given := values[k.name]
		if !given {
			continue
		}
		if err := k.set(r, e.value); err != nil {
			return failure(e, err.Error())
		}
		switch k.role {
		case ofHistory:
			r.history[k.name] = e.value
		case ofRules, withoutEffect:
		}
	}
	return nil
}

// role says what a key is for.
type role int

const (
	ofRules       role = iota
	withoutEffect      // on the rules: what a GUI draws, what a piece is worth
	ofHistory          // depends on earlier positions
)

// key is a key of a section. Keys are read in the order of keyList, not of the file.
type key struct {
	name string
	role role
	set  func(r *Rules, value string) error
	// text returns a value with which set makes such rules, after the keys before it; nil if other keys say the same.
	text func(r *Rules) string
}

var (
	keyList  = allKeys()
	keyTable = func() map[string]role {
		m := map[string]role{}
		for _, k := range keyList {
			m[k.name] = k.role
		}
		return m
	}()
)

func parseBool(text string) (bool, error) {
	switch text {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("%q: want true or false", text)
}

func parseCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 1000 {
		return 0, fmt.Errorf("%q: want a number of 0 to 1000", text)
	}
	return n, nil
}

func parseRank(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxRanks {
		return 0, fmt.Errorf("%q: want a rank of 1 to %d", text, maxRanks)
	}
	return n, nil
}

// parseFile reads a file: a letter, or a number from 1 on. It returns it from 0 on.
func parseFile(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if len(text) == 1 && text[0] >= 'a' && text[0] < 'a'+maxFiles {
		return int(text[0] - 'a'), nil
	}
	if err != nil || n < 1 || n > maxFiles {
		return 0, fmt.Errorf("%q: want a file of a to %c, or 1 to %d", text, 'a'+maxFiles-1, maxFiles)
	}
	return n - 1, nil
}

// parseRegion reads squares such as d4, ranks such as *1 and files such as a*; - is the empty region.
func parseRegion(text string) (r region, err error) {
	for _, word := range strings.Fields(text) {
		if word == "-" {
			continue
		}
		files, rank := 1<<maxFiles-1, word[1:]
		if word[0] != '*' {
			file, err := parseFile(strings.ToLower(word[:1]))
			if err != nil || word[0] >= '0' && word[0] <= '9' {
				return r, fmt.Errorf("%q: want squares such as d4, ranks such as *1, files such as a*", word)
			}
			files = 1 << file
		}
		if rank == "*" {
			for i := range r {
				r[i] |= uint16(files)
			}
			continue
		}
		n, err := parseRank(rank)
		if err != nil {
			return r, fmt.Errorf("%q: want squares such as d4, ranks such as *1, files such as a*", word)
		}
		r[n-1] |= uint16(files)
	}
	return r, nil
}

func parseResult(text string) (result, error) {
	i := slices.Index(results, text)
	if i < 0 {
		return noResult, fmt.Errorf("%q: want win, loss, draw or none", text)
	}
	return result(i), nil
}

// kind returns the slot of a letter; * is none.
func (r *Rules) kind(letter byte) (slot, error) {
	if letter == '*' {
		return none, nil
	}
	if letter >= 'A' && letter <= 'Z' {
		letter += 'a' - 'A'
	}
	for s, l := range r.letters {
		if l != 0 && l == letter {
			return slot(s), nil
		}
	}
	return none, fmt.Errorf("no piece has the letter %q", letter)
}

// parseKinds reads letters of pieces, with or without spaces; - is the empty set.
func (r *Rules) parseKinds(text string) (list []slot, err error) {
	for _, c := range []byte(strings.ReplaceAll(text, " ", "")) {
		if c == '-' {
			break
		}
		s, err := r.kind(c)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// parsePairs reads pairs such as "q:1 r:2".
func (r *Rules) parsePairs(text string, use func(s slot, value string) error) error {
	for _, pair := range strings.Fields(text) {
		letter, value, ok := strings.Cut(pair, ":")
		if !ok || len(letter) != 1 || value == "" {
			return fmt.Errorf("%q: want pairs such as p:g", pair)
		}
		s, err := r.kind(letter[0])
		if err != nil {
			return err
		}
		if err := use(s, value); err != nil {
			return err
		}
	}
	return nil
}
