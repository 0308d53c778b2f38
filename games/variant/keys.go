package variant

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The functions below make keys of one type of value each. The function at returns what a key sets.

func boolKey(name string, at ...func(*Rules) *bool) key {
	return key{name: name, set: func(r *Rules, value string) error {
		b, err := parseBool(value)
		for _, f := range at {
			*f(r) = b
		}
		return err
	}, text: func(r *Rules) string { return strconv.FormatBool(*at[0](r)) }}
}

func countKey(name string, at func(*Rules) *int) key {
	return key{name: name, set: func(r *Rules, value string) (err error) {
		*at(r), err = parseCount(value)
		return err
	}, text: func(r *Rules) string { return strconv.Itoa(*at(r)) }}
}

func rankKey(name string, at func(*Rules) *int) key {
	return key{name: name, set: func(r *Rules, value string) (err error) {
		*at(r), err = parseRank(value)
		return err
	}, text: func(r *Rules) string { return strconv.Itoa(*at(r)) }}
}

func fileKey(name string, at func(*Rules) *int) key {
	return key{name: name, set: func(r *Rules, value string) (err error) {
		*at(r), err = parseFile(value)
		return err
	}, text: func(r *Rules) string { return fileText(*at(r)) }}
}

func resultKey(name string, at func(*Rules) *result) key {
	return key{name: name, set: func(r *Rules, value string) (err error) {
		*at(r), err = parseResult(value)
		return err
	}, text: func(r *Rules) string { return results[*at(r)] }}
}

func wordKey[T ~string](name string, at func(*Rules) *T, words ...T) key {
	return key{name: name, set: func(r *Rules, value string) error {
		if !slices.Contains(words, T(value)) {
			return fmt.Errorf("%q: want one of %v", value, words)
		}
		*at(r) = T(value)
		return nil
	}, text: func(r *Rules) string { return string(*at(r)) }}
}

// sides says which sides a key is for: that without a suffix for both, those with White and Black for one.
func sides[T any](name string, at func(*Rules) *[2]T, parse func(r *Rules, value string) (T, error), text func(r *Rules, side int) string) []key {
	one := func(name string, sides ...int) key {
		return key{name: name, set: func(r *Rules, value string) error {
			v, err := parse(r, value)
			if err != nil {
				return err
			}
			for _, side := range sides {
				at(r)[side] = v
			}
			return nil
		}}
	}
	list := []key{one(name, 0, 1), one(name+"White", 0), one(name+"Black", 1)}
	for side := range 2 {
		list[1+side].text = func(r *Rules) string { return text(r, side) }
	}
	return list
}

func regionKeys(name string, at func(*Rules) *[2]region) []key {
	return sides(name, at, func(_ *Rules, value string) (region, error) { return parseRegion(value) },
		func(r *Rules, side int) string { return r.regionText(at(r)[side]) })
}

func kindSetOf(r *Rules, value string) (kindSet, error) {
	list, err := r.parseKinds(value)
	return kinds(list...), err
}

func kindOf(r *Rules, value string) (slot, error) {
	list, err := r.parseKinds(value)
	if err != nil || len(list) == 0 {
		return none, err
	}
	return list[0], nil
}

func kindSetKeys(name string, at func(*Rules) *[2]kindSet) []key {
	return sides(name, at, kindSetOf, func(r *Rules, side int) string { return r.kindsText(at(r)[side]) })
}

func kindSetKey(name string, at func(*Rules) *kindSet) key {
	return key{name: name, set: func(r *Rules, value string) (err error) {
		*at(r), err = kindSetOf(r, value)
		return err
	}, text: func(r *Rules) string { return r.kindsText(*at(r)) }}
}

// kindKey has the word for no kind.
func kindKey(name, no string, at func(*Rules) *slot) key {
	return key{name: name, set: func(r *Rules, value string) (err error) {
		*at(r), err = kindOf(r, value)
		return err
	}, text: func(r *Rules) string { return r.kindText(*at(r), no) }}
}

// pieceKey is that of a slot: a letter, and for custom pieces and kings how they move; - removes the piece.
func pieceKey(s slot) key {
	return key{name: slots[s].name, set: func(r *Rules, value string) error {
		if value == "-" {
			r.remove(s)
			return nil
		}
		letter, betza, custom := strings.Cut(value, ":")
		if len(letter) != 1 || letter[0]|0x20 < 'a' || letter[0]|0x20 > 'z' {
			return fmt.Errorf("%q: want a letter, or - for none", value)
		}
		isCustom := strings.HasPrefix(slots[s].name, "custom")
		if custom != isCustom && s != king {
			if isCustom {
				return fmt.Errorf("%q: want a letter and how the piece moves, such as p:mfWcfF", value)
			}
			return fmt.Errorf("%q: want a letter alone; customPiece1 to customPiece%d say how they move", value, customSlots)
		}
		_, enPassant, err := parseBetza(betza)
		if err != nil {
			return err
		}
		r.add(s, letter[0]|0x20)
		if isCustom || s == king {
			r.betza[s] = betza
		}
		if isCustom && enPassant {
			for side := range 2 {
				r.enPassantKinds[side] |= kinds(s)
			}
		}
		return nil
	}, text: func(r *Rules) string {
		text := r.kindText(s, "-")
		if betza := r.betza[s]; text != "-" && (betza != "" || strings.HasPrefix(slots[s].name, "custom")) {
			text += ":" + betza
		}
		return text
	}}
}

// refused is a key of which only the value that changes nothing is possible.
func refused(name, reason string, harmless ...string) key {
	return key{name: name, set: func(_ *Rules, value string) error {
		if slices.Contains(harmless, value) {
			return nil
		}
		return errors.New(reason)
	}}
}

func ignored(role role, names ...string) (list []key) {
	for _, name := range names {
		k := key{name: name, role: role, set: func(*Rules, string) error { return nil }}
		if role == ofHistory {
			k.text = func(r *Rules) string { return r.history[name] }
		}
		list = append(list, k)
	}
	return list
}

// zone returns the ranks from one on as a side counts them.
func zone(side, rank, ranks int) (r region) {
	for i := rank; i <= ranks; i++ {
		at := i
		if side == 1 {
			at = ranks + 1 - i
		}
		r[at-1] = everywhere[0]
	}
	return r
}

// allKeys returns the keys in the order in which they are read: the board and the pieces first, then older names, then
// keys for several others, which those below may change.
func allKeys() (list []key) {
	list = append(list, rankKey("maxRank", func(r *Rules) *int { return &r.ranks }),
		key{name: "maxFile", set: func(r *Rules, value string) error {
			file, err := parseFile(value)
			r.files = file + 1
			return err
		}, text: func(r *Rules) string { return strconv.Itoa(r.files) }})
	for s := range slots {
		if s == int(none) {
			continue
		}
		list = append(list, pieceKey(slot(s)))
		for side, color := range []string{"White", "Black"} {
			name := "mobilityRegion" + color + strings.ToUpper(slots[s].name[:1]) + slots[s].name[1:]
			list = append(list, key{name: name, set: func(r *Rules, value string) error {
				region, err := parseRegion(value)
				r.mobility[side][s] = &region
				return err
			}, text: func(r *Rules) string { return r.mobilityText(side, slot(s)) }})
		}
	}

	list = append(list,
		key{name: "promotionRank", set: func(r *Rules, value string) error {
			rank, err := parseRank(value)
			for side := range 2 {
				r.promotionRegion[side] = zone(side, rank, r.ranks)
			}
			return err
		}},
		key{name: "doubleStepRank", set: func(r *Rules, value string) (err error) {
			r.doubleStepRanks[1], err = parseRank(value)
			r.setDoubleStep()
			return err
		}},
		key{name: "doubleStepRankMin", set: func(r *Rules, value string) (err error) {
			r.doubleStepRanks[0], err = parseRank(value)
			r.setDoubleStep()
			return err
		}},
		key{name: "dropOnTop", set: func(r *Rules, value string) error {
			top, err := parseBool(value)
			if top {
				r.enclosingDrop = "top"
			}
			return err
		}},
	)
	for side, color := range []string{"white", "black"} {
		list = append(list,
			key{name: color + "Flag", set: func(r *Rules, value string) (err error) {
				r.flagRegion[side], err = parseRegion(value)
				return err
			}},
			key{name: color + "DropRegion", set: func(r *Rules, value string) (err error) {
				r.dropRegion[side], err = parseRegion(value)
				return err
			}})
	}
	castlingRooks := kindSetKeys("castlingRookPieces", func(r *Rules) *[2]kindSet { return &r.castlingRooks })
	list = append(list, key{name: "castlingRookPiece", set: castlingRooks[0].set})

	mainPawns := sides("promotionPawnTypes", func(r *Rules) *[2]slot { return &r.mainPawn }, kindOf, nil)
	pawns := kindSetKeys("promotionPawnTypes", func(r *Rules) *[2]kindSet { return &r.promotionPawns })
	enPassant := kindSetKeys("enPassantTypes", func(r *Rules) *[2]kindSet { return &r.enPassantKinds })
	both := func(name string, keys ...key) key {
		return key{name: name, set: func(r *Rules, value string) (err error) {
			for _, k := range keys {
				err = errors.Join(err, k.set(r, value))
			}
			return err
		}}
	}
	list = append(list, both("pawnTypes", mainPawns[0], pawns[0], enPassant[0]))
	for i, k := range pawns {
		k := both(k.name, mainPawns[i], k)
		if i > 0 {
			k.text = func(r *Rules) string { return r.pawnsText(i - 1) }
		}
		list = append(list, k)
	}

	list = append(list, key{name: "startFen", set: func(r *Rules, value string) error {
		r.start = value
		return nil
	}, text: func(r *Rules) string { return r.start }})
	list = append(list, ignored(withoutEffect, "variantTemplate", "pieceToCharTable", "pocketSize", "pieceValueMg", "pieceValueEg")...)
	list = append(list, ignored(ofHistory, "nMoveRuleTypes", "nMoveRuleTypesWhite", "nMoveRuleTypesBlack", "nMoveRule",
		"nFoldRule", "nFoldValue", "nFoldValueAbsolute", "perpetualCheckIllegal", "moveRepetitionIllegal", "chasingRule", "countingRule")...)
	list = append(list,
		refused("twoBoards", "pieces that come from a second board are no rule of one game", "false"),
		refused("shatarMateRule", "a mate that depends on the checks before it is not supported", "false"),
		refused("bikjangRule", "facing kings as in janggi are not supported", "false"),
		refused("diagonalLines", "diagonal lines as in janggi are not supported", "-", ""),
		refused("cambodianMoves", "first leaps as in Cambodian chess are not supported", "false"),
	)

	list = append(list, regionKeys("promotionRegion", func(r *Rules) *[2]region { return &r.promotionRegion })[1:]...)
	list = append(list, kindSetKeys("promotionPieceTypes", func(r *Rules) *[2]kindSet { return &r.promotionPieces })...)
	list = append(list,
		boolKey("chess960", func(r *Rules) *bool { return &r.chess960 }),
		boolKey("sittuyinPromotion", func(r *Rules) *bool { return &r.sittuyinPromotion }),
		key{name: "promotionLimit", set: func(r *Rules, value string) error {
			return r.parsePairs(value, func(s slot, value string) (err error) {
				r.promotionLimit[s], err = parseCount(value)
				return err
			})
		}, text: func(r *Rules) string {
			return r.pairsText(func(s slot) string { return strings.TrimPrefix(strconv.Itoa(r.promotionLimit[s]), "0") })
		}},
		key{name: "promotedPieceType", set: func(r *Rules, value string) error {
			return r.parsePairs(value, func(s slot, value string) (err error) {
				if r.promoted[s] = none; value != "-" {
					r.promoted[s], err = r.kind(value[0])
				}
				return err
			})
		}, text: func(r *Rules) string {
			return r.pairsText(func(s slot) string { return r.kindText(r.promoted[s], "") })
		}},
		boolKey("piecePromotionOnCapture", func(r *Rules) *bool { return &r.promotionOnCapture }),
		boolKey("mandatoryPawnPromotion", func(r *Rules) *bool { return &r.mandatoryPawnPromotion }),
		boolKey("mandatoryPiecePromotion", func(r *Rules) *bool { return &r.mandatoryPromotion }),
		boolKey("pieceDemotion", func(r *Rules) *bool { return &r.demotion }),
		boolKey("blastOnCapture", func(r *Rules) *bool { return &r.blast }),
		kindSetKey("blastImmuneTypes", func(r *Rules) *kindSet { return &r.blastImmune }),
		kindSetKey("mutuallyImmuneTypes", func(r *Rules) *kindSet { return &r.mutuallyImmune }),
		kindSetKey("petrifyOnCaptureTypes", func(r *Rules) *kindSet { return &r.petrify }),
		boolKey("petrifyBlastPieces", func(r *Rules) *bool { return &r.petrifyBlast }),
		boolKey("doubleStep", func(r *Rules) *bool { return &r.doubleStep }),
	)
	for side, k := range regionKeys("doubleStepRegion", func(r *Rules) *[2]region { return &r.doubleStepRegion })[1:] {
		k.text = func(r *Rules) string {
			if !r.doubleStep {
				return ""
			}
			return r.regionText(r.doubleStepRegion[side])
		}
		list = append(list, k)
	}
	list = append(list, regionKeys("tripleStepRegion", func(r *Rules) *[2]region { return &r.tripleStepRegion })[1:]...)
	list = append(list, regionKeys("enPassantRegion", func(r *Rules) *[2]region { return &r.enPassantRegion })...)
	list = append(list, enPassant...)
	list = append(list, sides("castlingKingPiece", func(r *Rules) *[2]slot { return &r.castlingKing }, kindOf,
		func(r *Rules, side int) string { return r.kindText(r.castlingKing[side], "-") })...)
	list = append(list, castlingRooks...)
	list = append(list,
		boolKey("castling", func(r *Rules) *bool { return &r.castling }),
		boolKey("castlingDroppedPiece", func(r *Rules) *bool { return &r.castlingDropped }),
		fileKey("castlingKingsideFile", func(r *Rules) *int { return &r.castlingFiles[0] }),
		fileKey("castlingQueensideFile", func(r *Rules) *int { return &r.castlingFiles[1] }),
		key{name: "castlingRank", set: func(r *Rules, value string) error {
			rank, err := parseRank(value)
			r.castlingRank = rank - 1
			return err
		}, text: func(r *Rules) string { return strconv.Itoa(r.castlingRank + 1) }},
		fileKey("castlingKingFile", func(r *Rules) *int { return &r.castlingKingFile }),
		fileKey("castlingRookKingsideFile", func(r *Rules) *int { return &r.castlingRookFiles[0] }),
		fileKey("castlingRookQueensideFile", func(r *Rules) *int { return &r.castlingRookFiles[1] }),
		boolKey("oppositeCastling", func(r *Rules) *bool { return &r.oppositeCastling }),
		key{name: "castlingWins", set: func(r *Rules, value string) error {
			r.castlingWins = [4]bool{}
			for _, c := range strings.Trim(value, "-") {
				i := strings.IndexRune("KQkq", c)
				if i < 0 {
					return fmt.Errorf("%q: want letters of KQkq", value)
				}
				r.castlingWins[i] = true
			}
			return nil
		}, text: func(r *Rules) (text string) {
			for i, wins := range r.castlingWins {
				if wins {
					text += "KQkq"[i : i+1]
				}
			}
			return cmp.Or(text, "-")
		}},
		boolKey("checking", func(r *Rules) *bool { return &r.checking }),
		boolKey("dropChecks", func(r *Rules) *bool { return &r.dropChecks }),
		boolKey("mustCapture", func(r *Rules) *bool { return &r.mustCapture }),
		boolKey("mustDrop", func(r *Rules) *bool { return &r.mustDrop }),
		kindKey("mustDropType", "*", func(r *Rules) *slot { return &r.mustDropKind }),
		boolKey("pieceDrops", func(r *Rules) *bool { return &r.drops }),
		boolKey("dropLoop", func(r *Rules) *bool { return &r.dropLoop }),
		boolKey("capturesToHand", func(r *Rules) *bool { return &r.capturesToHand }),
		boolKey("firstRankPawnDrops", func(r *Rules) *bool { return &r.firstRankPawnDrops }),
		boolKey("promotionZonePawnDrops", func(r *Rules) *bool { return &r.promotionZoneDrops }),
		wordKey("enclosingDrop", func(r *Rules) *enclosing { return &r.enclosingDrop }, "none", "reversi", "ataxx", "snort", "anyside", "top"),
		key{name: "enclosingDropStart", set: func(r *Rules, value string) (err error) {
			r.enclosingStart, err = parseRegion(value)
			return err
		}, text: func(r *Rules) string { return r.regionText(r.enclosingStart) }},
	)
	list = append(list, regionKeys("dropRegion", func(r *Rules) *[2]region { return &r.dropRegion })[1:]...)
	list = append(list,
		boolKey("freeDrops", func(r *Rules) *bool { return &r.freeDrops }),
		boolKey("sittuyinRookDrop", func(r *Rules) *bool { return &r.sittuyinRookDrop }),
		boolKey("dropOppositeColoredBishop", func(r *Rules) *bool { return &r.oppositeBishops }),
		boolKey("dropPromoted", func(r *Rules) *bool { return &r.dropPromoted }),
		kindKey("dropNoDoubled", "-", func(r *Rules) *slot { return &r.noDoubled }),
		countKey("dropNoDoubledCount", func(r *Rules) *int { return &r.noDoubledCount }),
		boolKey("immobilityIllegal", func(r *Rules) *bool { return &r.immobilityIllegal }),
		boolKey("gating", func(r *Rules) *bool { return &r.gating }),
		boolKey("seirawanGating", func(r *Rules) *bool { return &r.seirawan }),
		wordKey("wallingRule", func(r *Rules) *walling { return &r.walling }, "none", "arrow", "duck", "edge", "past", "static"),
		boolKey("wallOrMove", func(r *Rules) *bool { return &r.wallOrMove }),
		boolKey("makpongRule", func(r *Rules) *bool { return &r.makpong }),
		boolKey("flyingGeneral", func(r *Rules) *bool { return &r.flyingGeneral }),
		rankKey("soldierPromotionRank", func(r *Rules) *int { return &r.soldierRank }),
		wordKey("flipEnclosedPieces", func(r *Rules) *enclosing { return &r.flip }, "none", "reversi", "ataxx", "quadwrangle"),
	)
	list = append(list, regionKeys("wallingRegion", func(r *Rules) *[2]region { return &r.wallingRegion })...)
	extinct := kindSetKey("extinctionPieceTypes", func(r *Rules) *kindSet { return &r.extinctionKinds })
	extinct.text = func(r *Rules) string {
		text := r.kindsText(r.extinctionKinds)
		if r.extinctionKinds.has(none) {
			return "*" + strings.Trim(text, "-")
		}
		return text
	}
	parse := func(_ *Rules, value string) (bool, error) { return parseBool(value) }
	list = append(list, sides("pass", func(r *Rules) *[2]bool { return &r.pass }, parse,
		func(r *Rules, side int) string { return strconv.FormatBool(r.pass[side]) })...)
	list = append(list, sides("passOnStalemate", func(r *Rules) *[2]bool { return &r.passOnStalemate }, parse,
		func(r *Rules, side int) string { return strconv.FormatBool(r.passOnStalemate[side]) })...)
	list = append(list, sides("flagPiece", func(r *Rules) *[2]slot { return &r.flagKind }, kindOf,
		func(r *Rules, side int) string { return r.kindText(r.flagKind[side], "*") })...)
	flags := regionKeys("flagRegion", func(r *Rules) *[2]region { return &r.flagRegion })
	for side := range 2 {
		flags[1+side].text = func(r *Rules) string {
			if k := r.flagKind[side]; k != none && r.letters[k] == 0 {
				return "-" // no piece can reach it
			}
			return r.regionText(r.flagRegion[side])
		}
	}
	list = append(list, flags...)
	return append(list,
		resultKey("stalemateValue", func(r *Rules) *result { return &r.stalemate }),
		boolKey("stalematePieceCount", func(r *Rules) *bool { return &r.stalemateByCount }),
		resultKey("checkmateValue", func(r *Rules) *result { return &r.checkmate }),
		boolKey("shogiPawnDropMateIllegal", func(r *Rules) *bool { return &r.pawnDropMateIllegal }),
		resultKey("extinctionValue", func(r *Rules) *result { return &r.extinction }),
		boolKey("extinctionClaim", func(r *Rules) *bool { return &r.extinctionClaim }),
		boolKey("extinctionPseudoRoyal", func(r *Rules) *bool { return &r.pseudoRoyal }),
		boolKey("dupleCheck", func(r *Rules) *bool { return &r.dupleCheck }),
		extinct,
		countKey("extinctionPieceCount", func(r *Rules) *int { return &r.extinctionCount }),
		countKey("extinctionOpponentPieceCount", func(r *Rules) *int { return &r.extinctionOpponent }),
		countKey("flagPieceCount", func(r *Rules) *int { return &r.flagCount }),
		boolKey("flagPieceBlockedWin", func(r *Rules) *bool { return &r.flagBlocked }),
		boolKey("flagMove", func(r *Rules) *bool { return &r.flagMove }),
		boolKey("flagPieceSafe", func(r *Rules) *bool { return &r.flagSafe }),
		boolKey("checkCounting", func(r *Rules) *bool { return &r.checkCounting }),
		countKey("connectN", func(r *Rules) *int { return &r.connect }),
		kindSetKey("connectPieceTypes", func(r *Rules) *kindSet { return &r.connectKinds }),
		boolKey("connectHorizontal", func(r *Rules) *bool { return &r.connectLines[0] }),
		boolKey("connectVertical", func(r *Rules) *bool { return &r.connectLines[1] }),
		boolKey("connectDiagonal", func(r *Rules) *bool { return &r.connectLines[2] }),
		regionKeys("connectRegion1", func(r *Rules) *[2]region { return &r.connectFrom })[1],
		regionKeys("connectRegion1", func(r *Rules) *[2]region { return &r.connectFrom })[2],
		regionKeys("connectRegion2", func(r *Rules) *[2]region { return &r.connectTo })[1],
		regionKeys("connectRegion2", func(r *Rules) *[2]region { return &r.connectTo })[2],
		countKey("connectNxN", func(r *Rules) *int { return &r.connectSquare }),
		countKey("collinearN", func(r *Rules) *int { return &r.collinear }),
		resultKey("connectValue", func(r *Rules) *result { return &r.connectValue }),
		wordKey("materialCounting", func(r *Rules) *counting { return &r.material }, "none", "unweighted", "whitedrawodds", "blackdrawodds"),
		boolKey("adjudicateFullBoard", func(r *Rules) *bool { return &r.fullBoardEnds }),
	)
}

// setDoubleStep sets the regions of double steps to the ranks that the older keys say.
func (r *Rules) setDoubleStep() {
	for side := range 2 {
		all, beyond := zone(side, r.doubleStepRanks[0], r.ranks), zone(side, r.doubleStepRanks[1]+1, r.ranks)
		for i := range all {
			r.doubleStepRegion[side][i] = all[i] &^ beyond[i]
		}
	}
}
