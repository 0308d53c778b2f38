package plain

import (
	"slices"
	"strconv"
	"strings"
)

// Games from files. A file about one has its rules: the lines KEY = VALUE of a section without a parent, as docs/variants-format.md
// lists them. A rule that is not known here ends the check, so no position is judged by half of the rules. Nothing is remembered from
// one position to the next: a position is its text, which is read each time; all moves are made that the pieces could make,
// and each is looked at on the board after it.
type variant struct {
	ranks, files int
	rules        map[string]string
	kinds        []byte          // the letters of the pieces, in the order of their keys
	pieces       map[byte]*vkind // by letter
	pawn, king   byte            // the letters of pieces with rules of their own, - for none
	shogiPawn    byte
	regions      map[string][]bool // by key
}

// A vkind is a kind of piece.
type vkind struct {
	name     string
	paths    [3][]vpath // by what the move is for: quiet, capturing, initial
	mobility [2][]bool  // where it may go
	promoted byte       // 0 for none
	limit    int        // of pieces that are made by promotion, 0 for none
	passing  bool       // its notation says that it captures in passing
}

// namedPieces are the keys of pieces whose moves are known.
var namedPieces = map[string]string{
	"pawn": "fmWfceF", "knight": "N", "bishop": "B", "rook": "R", "queen": "Q", "fers": "F", "alfil": "A",
	"fersAlfil": "FA", "silver": "FfW", "aiwok": "RNF", "bers": "RF", "archbishop": "BN", "chancellor": "RN", "amazon": "QN",
	"knibis": "mNcB", "biskni": "mBcN", "kniroo": "mNcR", "rookni": "mRcN", "shogiPawn": "fW", "lance": "fR",
	"shogiKnight": "fN", "gold": "WfF", "dragonHorse": "BW", "clobber": "cW", "breakthrough": "fmWfF", "immobile": "",
	"cannon": "mRcpR", "soldier": "fsW", "horse": "nN", "elephant": "nA", "janggiElephant": "nZ",
	"banner": "RcpRnN", "wazir": "W", "commoner": "K", "centaur": "KN", "king": "K",
}

// variantRules are the keys of rules that are known here, with what holds if a key is not given. Where sides have the same default, %
// stands for White and Black; a word after = stands for pieces.
var variantRules = map[string]string{
	"maxRank": "8", "maxFile": "8", "startFen": "",
	"promotionRegionWhite": "*8", "promotionRegionBlack": "*1", "promotionPawnTypes%": "=pawn", "promotionPieceTypes%": "-",
	"promotionLimit": "", "promotedPieceType": "", "piecePromotionOnCapture": "false", "mandatoryPawnPromotion": "true",
	"mandatoryPiecePromotion": "false", "pieceDemotion": "false",
	"doubleStep": "true", "doubleStepRegionWhite": "*2", "doubleStepRegionBlack": "*7", "tripleStepRegion%": "-",
	"enPassantRegion%": "**", "enPassantTypes%": "=passing",
	"castling": "true", "castlingKingsideFile": "g", "castlingQueensideFile": "c", "castlingRank": "1", "castlingKingFile": "e",
	"castlingKingPiece%": "=king", "castlingRookKingsideFile": "l", "castlingRookQueensideFile": "a", "castlingRookPieces%": "=rook",
	"chess960": "false", "checking": "true", "dropChecks": "true", "mustCapture": "false", "mustDrop": "false", "mustDropType": "*",
	"pieceDrops": "false", "dropLoop": "false", "capturesToHand": "false", "firstRankPawnDrops": "false", "promotionZonePawnDrops": "false",
	"enclosingDrop": "none", "enclosingDropStart": "-", "dropRegion%": "**", "freeDrops": "false", "dropPromoted": "false",
	"dropNoDoubled": "-", "dropNoDoubledCount": "1", "immobilityIllegal": "false", "shogiPawnDropMateIllegal": "false",
	"wallingRule": "none", "wallingRegion%": "**", "wallOrMove": "false", "pass%": "false", "passOnStalemate%": "false",
	"makpongRule": "false", "flyingGeneral": "false", "soldierPromotionRank": "0", "flipEnclosedPieces": "none",
	"blastOnCapture": "false", "blastImmuneTypes": "-", "mutuallyImmuneTypes": "-", "petrifyOnCaptureTypes": "-", "petrifyBlastPieces": "false",
	"stalemateValue": "draw", "stalematePieceCount": "false", "checkmateValue": "loss", "checkCounting": "false",
	"materialCounting": "none", "adjudicateFullBoard": "false",
	"extinctionValue": "none", "extinctionClaim": "false", "extinctionPseudoRoyal": "false", "dupleCheck": "false",
	"extinctionPieceTypes": "-", "extinctionPieceCount": "0", "extinctionOpponentPieceCount": "0",
	"flagPiece%": "*", "flagRegion%": "-", "flagPieceCount": "1", "flagPieceBlockedWin": "false", "flagMove": "false", "flagPieceSafe": "false",
	"connectN": "0", "connectPieceTypes": "=all", "connectHorizontal": "true", "connectVertical": "true",
	"connectDiagonal": "true", "connectRegion1%": "-", "connectRegion2%": "-", "connectValue": "win",
}

// historyRules depend on earlier positions. Values do without them.
var historyRules = []string{"nMoveRule", "nMoveRuleTypes", "nMoveRuleTypesWhite", "nMoveRuleTypesBlack", "nFoldRule", "nFoldValue",
	"nFoldValueAbsolute", "perpetualCheckIllegal", "moveRepetitionIllegal", "chasingRule", "countingRule"}

// OpenVariant opens a game by the rules that a header has.
func OpenVariant(name, rules string) (game *Game, err error) {
	defer recovered(&err)
	short := strings.TrimPrefix(name, "variant:")
	demand(strings.Trim(short, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && short != "" && short[0] != '-' && (name != short || options[name] == nil), ErrUnsuited, "no plain rules from a file for %.100q", name)
	g := &variant{rules: map[string]string{}, pieces: map[byte]*vkind{}, regions: map[string][]bool{}}
	defaults := map[string]string{}
	for key, value := range variantRules {
		for _, side := range []string{"White", "Black"} {
			defaults[strings.Replace(key, "%", side, 1)] = value
		}
	}
	given, custom := map[string]string{}, map[string]bool{}
	for line := range strings.Lines(rules) {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		must(ok && given[key] == "" && value != "", "the rule %.100q", line)
		given[key] = value
		_, known := defaults[key]
		_, isPiece := namedPieces[key]
		number, numbered := strings.CutPrefix(key, "customPiece")
		custom[key] = numbered && number != ""
		region := strings.HasPrefix(key, "mobilityRegion")
		demand(known || isPiece || custom[key] || region || slices.Contains(historyRules, key), ErrUnsuited, "no plain rule for %.100q", key)
		if isPiece || custom[key] {
			must(len(value) == 1 || value[1] == ':' && (custom[key] || key == "king"), "the piece %.100q", line)
			must(value[0] >= 'a' && value[0] <= 'z' && g.pieces[value[0]] == nil, "the piece %.100q", line)
			g.kinds = append(g.kinds, value[0])
			g.pieces[value[0]] = &vkind{name: key}
		}
	}
	for key, value := range defaults {
		if g.rules[key] = value; given[key] != "" {
			g.rules[key] = given[key]
		}
	}
	g.ranks, g.files = g.count("maxRank"), number(g.rules["maxFile"])
	must(g.ranks >= 1 && g.ranks <= 10 && g.files >= 1 && g.files <= 12 && len(g.kinds) > 0 && len(g.kinds) <= 32, "the board or the pieces")
	g.pawn, g.king, g.shogiPawn = g.named("pawn")[0], g.named("king")[0], g.named("shogiPawn")[0]
	for _, letter := range g.kinds {
		g.describe(letter, given)
	}
	g.pairs(given)
	for key, value := range g.rules {
		if name, named := strings.CutPrefix(value, "="); named {
			g.rules[key] = g.named(name)
		}
		if strings.Contains(key, "Region") || key == "enclosingDropStart" {
			g.regions[key] = g.region(g.rules[key])
		}
	}
	if g.rules["doubleStep"] == "false" {
		g.regions["doubleStepRegionWhite"], g.regions["doubleStepRegionBlack"] = g.region("-"), g.region("-")
	}
	for _, no := range [][2]string{
		{"stalemateValue", "none"}, {"checkmateValue", "none"}, {"connectValue", "none"}, {"enclosingDrop", "anyside"}, {"materialCounting", "janggi"},
	} {
		demand(g.rules[no[0]] != no[1], ErrUnsuited, "no plain rule for %s = %s", no[0], no[1])
	}
	for _, key := range []string{"blastOnCapture", "flipEnclosedPieces", "petrifyOnCaptureTypes"} {
		plain := g.rules["wallingRule"] == "none" || strings.Trim(g.rules[key], "-") == "" || g.rules[key] == "false" || g.rules[key] == "none"
		demand(plain, ErrUnsuited, "no plain rule for %s with walls", key)
	}
	return &Game{Rules: g}, nil
}

// describe reads how a kind moves, and where.
func (g *variant) describe(letter byte, given map[string]string) {
	k := g.pieces[letter]
	text := namedPieces[k.name]
	if value := given[k.name]; len(value) > 1 {
		text = value[2:]
	}
	k.read(text)
	for side, color := range []string{"White", "Black"} {
		k.mobility[side] = g.region("**")
		if squares := given["mobilityRegion"+color+strings.ToUpper(k.name[:1])+k.name[1:]]; squares != "" && squares != "-" {
			k.mobility[side] = g.region(squares)
		}
	}
}

// pairs reads what pieces are promoted to, and limits.
func (g *variant) pairs(given map[string]string) {
	for _, key := range []string{"promotionLimit", "promotedPieceType"} {
		for _, pair := range strings.Fields(given[key]) {
			k := g.pieces[pair[0]]
			must(k != nil && len(pair) > 2 && pair[1] == ':' && (key == "promotionLimit" || g.pieces[pair[2]] != nil), "the pair %.100q", pair)
			if key == "promotionLimit" {
				k.limit = number(pair[2:])
			} else {
				k.promoted = pair[2]
			}
		}
	}
}

// named returns the letter of the piece with a key, or of those that a default stands for, - for none.
func (g *variant) named(name string) (letters string) {
	for _, letter := range g.kinds {
		k := g.pieces[letter]
		if k.name == name || name == "all" || name == "passing" && (k.passing || letter == g.pawn) {
			letters += string(letter)
		}
	}
	return orDash(letters)
}

func (g *variant) is(key string) bool   { return g.rules[key] == "true" }
func (g *variant) count(key string) int { return number(g.rules[key]) }

// of returns the key of a rule for a side.
func of(key string, side int) string { return key + [2]string{"White", "Black"}[side] }

// on returns whether a square is in the region of a key.
func (g *variant) on(key string, square int) bool { return g.regions[key][square] }

// among returns whether a kind is in the set of a key.
func (g *variant) among(key string, kind byte) bool {
	return strings.IndexByte(g.rules[key], kind) >= 0
}

// mainPawn returns the kind that pawns of a side were before they were promoted, 0 for none.
func (g *variant) mainPawn(side int) byte {
	if main := g.rules[of("promotionPawnTypes", side)][0]; g.pieces[main] != nil {
		return main
	}
	return 0
}

// region returns the squares of a text: d4, *1 for a rank, ** for all, - for none.
func (g *variant) region(text string) []bool {
	squares := make([]bool, g.ranks*g.files)
	for _, word := range strings.Fields(text) {
		for s := range squares {
			file, rank := word[0] == '*' || word[0] == byte('a'+s%g.files), word[1:] == "*" || word[1:] == strconv.Itoa(s/g.files+1)
			squares[s] = squares[s] || file && rank && word != "-"
		}
	}
	return squares
}

// file returns the number of the file that a key names, from 0 on.
func (g *variant) file(key string) int { return int(g.rules[key][0] - 'a') }

// step returns the square so many ranks forward and files to the right of another, as a side sees the board, -1 off it.
func (g *variant) step(s, side, forward, right int) int {
	if side == 1 {
		forward, right = -forward, -right
	}
	rank, file := s/g.files+forward, s%g.files+right
	if rank < 0 || rank >= g.ranks || file < 0 || file >= g.files {
		return -1
	}
	return rank*g.files + file
}

// home returns the rank of castling of a side.
func (g *variant) home(side int) int {
	if side == 1 {
		return g.ranks - g.count("castlingRank")
	}
	return g.count("castlingRank") - 1
}

func (g *variant) squareName(s int) string {
	return string(rune('a'+s%g.files)) + strconv.Itoa(s/g.files+1)
}
