package tsume

import (
	"slices"
	"strings"
)

// Point is a point on which those who judge problems differ.
type Point uint8

// The points. A fault that is none of them makes a problem unsound everywhere.
const (
	NoPoint Point = iota
	PointOneMove
	PointLastMove
	PointLastMovePieces
	PointMirror
	PointSquare
	PointPromotion
	PointDetour
	PointPiecesLeft
	PointLonger
	PointLongerPieces
	PointLongerByTwo
	PointEqual
	PointEqualAtEnd
	PointEqualPieces
	PointEqualChoice
	PointFutile
	PointTwoKings
	PointSuperfluous
	points
)

// pointNames are the names of the points in [ParseRules], and what composers call them.
var pointNames = [points][2]string{
	PointOneMove: {"one-move", "一手詰の余詰"}, PointLastMove: {"last-move", "最終手余詰"}, PointLastMovePieces: {"last-move-pieces", "最終手余詰で駒余り"},
	PointMirror: {"mirror", "左右対称"}, PointSquare: {"square", "打ち場所の非限定"}, PointPromotion: {"promotion", "成不成の非限定"},
	PointDetour: {"detour", "迂回手順"}, PointPiecesLeft: {"pieces-left", "駒余り"}, PointLonger: {"longer", "変長駒余らず"},
	PointLongerPieces: {"longer-pieces", "変長駒余り"}, PointLongerByTwo: {"longer-by-two", "2手変長駒余り"}, PointEqual: {"equal", "変同"},
	PointEqualAtEnd: {"equal-at-end", "最終2手の変同"}, PointEqualPieces: {"equal-pieces", "同手数駒余り"}, PointEqualChoice: {"equal-choice", "変同余詰"},
	PointFutile: {"futile", "作意の無駄合"}, PointTwoKings: {"two-kings", "双玉"}, PointSuperfluous: {"superfluous", "不要駒"},
}

// String returns the name of a point, "" for [NoPoint].
func (p Point) String() string { return pointNames[p][0] }

// Japanese returns what composers call a point.
func (p Point) Japanese() string { return pointNames[p][1] }

// Points returns all points.
func Points() []Point {
	var all []Point
	for p := NoPoint + 1; p < points; p++ {
		all = append(all, p)
	}
	return all
}

// house is a published set of rules. A point that its source does not mention has no grade.
type house struct {
	name    string
	sources []string
	grades  map[Point]Grade
}

// DefaultHouse is the name of the rules for what a house leaves open.
const DefaultHouse = "default"

// houses are the sets of rules. docs/tsume-houses.md says where each point comes from.
var houses = []house{
	{
		name: DefaultHouse, grades: map[Point]Grade{
			PointOneMove: Unsound, PointLastMove: Blemish, PointLastMovePieces: Blemish, PointMirror: Remark, PointSquare: Blemish,
			PointPromotion: Remark, PointDetour: Blemish, PointPiecesLeft: Unsound, PointLonger: Unsound, PointLongerPieces: Unsound,
			PointLongerByTwo: Blemish, PointEqual: Blemish, PointEqualAtEnd: Remark, PointEqualPieces: Remark, PointEqualChoice: Blemish,
			PointFutile: Blemish, PointTwoKings: Allowed, PointSuperfluous: Blemish,
		},
	},
	{
		name: "phone", sources: []string{"https://aws.tumepara.com/tsp/webs/rule", "https://aws.tumepara.com/tsp/webs/create"},
		grades: map[Point]Grade{
			PointOneMove: Unsound, PointLastMove: Remark, PointLastMovePieces: Remark, PointMirror: Remark, PointSquare: Remark,
			PointPromotion: Remark, PointDetour: Blemish, PointPiecesLeft: Unsound, PointEqual: Remark, PointEqualAtEnd: Remark,
			PointSuperfluous: Unsound,
		},
	},
	{
		name: "suzukou", sources: []string{
			"http://suzukou.org/rule/rule04.html", "http://suzukou.org/rule/rule06.html", "http://suzukou.org/rule/rule08.html",
		},
		grades: map[Point]Grade{
			PointLastMove: Remark, PointPiecesLeft: Unsound, PointLonger: Unsound, PointLongerPieces: Unsound, PointLongerByTwo: Unsound,
			PointEqual: Blemish, PointEqualAtEnd: Remark, PointEqualPieces: Remark,
		},
	},
	{
		name: "classics", sources: []string{
			"http://onkotisin.org/tume/tumeruru/tumeruru.htm", "https://kazemidori.fool.jp/?p=7568", "http://suzukou.org/rule/rule08.html",
		},
		grades: map[Point]Grade{PointPiecesLeft: Remark, PointLonger: Remark, PointLongerPieces: Remark, PointLongerByTwo: Remark},
	},
	{
		name: "katsuaki", sources: []string{
			"https://katsuaki3r0429.hatenablog.com/entry/2016/08/07/124730", "http://katsuaki3r0429.hatenablog.com/entry/2016/05/01/004801",
		},
		grades: map[Point]Grade{
			PointLastMove: Remark, PointLastMovePieces: Unsound, PointSquare: Blemish, PointDetour: Blemish, PointLongerByTwo: Unsound,
		},
	},
	{
		name: "strict", sources: []string{"https://katsuaki3r0429.hatenablog.com/entry/2016/02/21/090019"},
		grades: map[Point]Grade{
			PointOneMove: Unsound, PointLastMove: Unsound, PointLastMovePieces: Unsound, PointMirror: Unsound, PointSquare: Unsound,
			PointPromotion: Unsound, PointDetour: Unsound, PointLonger: Unsound, PointLongerPieces: Unsound, PointLongerByTwo: Unsound,
			PointEqual: Unsound, PointEqualAtEnd: Unsound, PointEqualPieces: Remark, PointEqualChoice: Unsound,
		},
	},
}

// unread are houses that one may look for, and whose rules could not be read.
var unread = []string{"magazine", "watanuki"}

// Futile says which interpositions are futile besides those that the checking piece captures. The
// zero Futile is what [Solve] uses.
type Futile uint8

// What else is futile.
const (
	// ByAnyPiece: any piece may capture the interposed one.
	ByAnyPiece Futile = 1 << iota
	// ByDiscovery: also if the check after a capture comes from a third piece (間接両王手).
	ByDiscovery
	// Moves: at the end of a line, also a move of a piece between the king and the checking
	// piece (移動合).
	Moves
)

// futileDefault is what all houses use, since no source that could be read settles it.
const futileDefault = ByAnyPiece | Moves

// Rules are the rules by which a problem is judged: a house, and what is to be otherwise.
type Rules struct {
	name   string
	house  *house
	chosen map[Point]Grade
	futile Futile
}

// DefaultRules returns our own rules.
func DefaultRules() Rules { return Rules{name: DefaultHouse, house: &houses[0], futile: futileDefault} }

// orDefault returns r, or our own rules if r is zero.
func (r Rules) orDefault() Rules {
	if r.house == nil {
		return DefaultRules()
	}
	return r
}

// HouseNames returns the names of all houses.
func HouseNames() []string {
	var names []string
	for _, h := range houses {
		names = append(names, h.name)
	}
	return names
}

// Values of the points interposition and indirect in [ParseRules].
var (
	interposed = []string{"checker", "any", "moves"}
	indirect   = []string{"no", "yes"}
)

// ParseRules reads the name of a house, perhaps followed by points that are to be otherwise, as in
// "phone,last-move=unsound,interposition=checker".
func ParseRules(text string) (Rules, error) {
	parts := strings.Split(text, ",")
	if strings.Contains(parts[0], "=") {
		parts = append([]string{DefaultHouse}, parts...)
	}
	at := slices.IndexFunc(houses, func(h house) bool { return h.name == parts[0] })
	if slices.Contains(unread, parts[0]) {
		return Rules{}, errUnreadHouse.Error(parts[0], strings.Join(HouseNames(), ", "))
	}
	if at < 0 {
		return Rules{}, errHouse.Error(parts[0], strings.Join(HouseNames(), ", "))
	}
	r := DefaultRules()
	r.name, r.house, r.chosen = strings.Join(parts, ","), &houses[at], map[Point]Grade{}
	for _, part := range parts[1:] {
		name, value, _ := strings.Cut(part, "=")
		if err := r.set(name, value); err != nil {
			return Rules{}, err
		}
	}
	return r, nil
}

// set sets a point.
func (r *Rules) set(name, value string) error {
	switch name {
	case "interposition":
		i := slices.Index(interposed, value)
		if i < 0 {
			return errValue.Error(name, value, strings.Join(interposed, ", "))
		}
		r.futile = r.futile&ByDiscovery | [...]Futile{0, ByAnyPiece, ByAnyPiece | Moves}[i]
		return nil
	case "indirect":
		i := slices.Index(indirect, value)
		if i < 0 {
			return errValue.Error(name, value, strings.Join(indirect, ", "))
		}
		r.futile = r.futile&^ByDiscovery | [...]Futile{0, ByDiscovery}[i]
		return nil
	}
	p := slices.IndexFunc(Points(), func(p Point) bool { return p.String() == name })
	if p < 0 {
		var names []string
		for _, p := range Points() {
			names = append(names, p.String())
		}
		return errPoint.Error(name, strings.Join(names, ", "))
	}
	g := slices.Index(gradeNames[:], value)
	if g < 0 {
		return errValue.Error(name, value, strings.Join(gradeNames[:], ", "))
	}
	r.chosen[Points()[p]] = Grade(g)
	return nil
}

// String returns the rules as [ParseRules] reads them.
func (r Rules) String() string { return r.name }

// House returns the name of the house, and the pages that its rules come from.
func (r Rules) House() (name string, sources []string) { return r.house.name, r.house.sources }

// Futile says which interpositions are futile.
func (r Rules) Futile() Futile { return r.futile }

// Grade returns the grade of a point, and what decides it: "chosen" if it was asked for, the name of
// the house, or [DefaultHouse] where the sources of the house are silent.
func (r Rules) Grade(p Point) (g Grade, by string) {
	if p == NoPoint {
		return Unsound, ""
	}
	if g, ok := r.chosen[p]; ok {
		return g, "chosen"
	}
	if g, ok := r.house.grades[p]; ok {
		return g, r.house.name
	}
	return houses[0].grades[p], DefaultHouse
}

// grade sets the point and the grade of a fault before remaining plies of the main line.
func (r Rules) grade(f *Fault, remaining int) {
	f.Point = pointOf(f, remaining)
	f.Grade, f.By = r.Grade(f.Point)
}

// pointOf returns the point that a fault belongs to.
func pointOf(f *Fault, remaining int) Point {
	switch f.Kind {
	case LongerWithPieces:
		if f.Length == remaining+2 {
			return PointLongerByTwo
		}
		return PointLongerPieces
	case EqualDefence:
		if remaining == 2 {
			return PointEqualAtEnd
		}
		return PointEqual
	}
	return kindPoints[f.Kind]
}

// kindPoints are the points of the kinds that have one.
var kindPoints = [...]Point{
	OneMove: PointOneMove, LastMove: PointLastMove, LastMovePieces: PointLastMovePieces, Mirror: PointMirror, SquareChoice: PointSquare,
	PromotionChoice: PointPromotion, Detour: PointDetour, PiecesLeft: PointPiecesLeft, LongerDefence: PointLonger,
	EqualWithPieces: PointEqualPieces, EqualChoice: PointEqualChoice, FutileOnLine: PointFutile, TwoKings: PointTwoKings,
	Superfluous: PointSuperfluous,
}
