package variant

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
)

// TestHeld checks the promises of an indexed game whose captures fill hands.
func TestHeld(t *testing.T) {
	for _, c := range []struct {
		game, class string
		early       bool
	}{{"dobutsu", "LCvL", false}, {"dobutsu", "LCvL", true}, {"dobutsu", "LGvLE", true}, {"minishogi", "KPvKS", false}, {"minishogi", "KPvKP", false}} {
		t.Run(c.game+" "+c.class, func(t *testing.T) {
			if c.game == "minishogi" && testing.Short() { // with men of one kind that were promoted from several
				t.Skip()
			}
			g := *open(t, c.game).core
			g.endEarly(c.early)
			roots, name, err := g.classes(c.class)
			require.NoError(t, err)
			x, err := g.newTables(c.game+":pieces="+name, roots, false)
			require.NoError(t, err)
			gametest.Run[Position, Move](t, x)
		})
	}
}

// TestStart checks the promises of the class of a start position.
func TestStart(t *testing.T) {
	f, err := Read("tiny.ini", strings.NewReader(tinyText), BuiltIn())
	require.NoError(t, err)
	for _, spec := range []string{"tiny:pieces=start", "hopper:pieces=start", "hopper:pieces=start,goal=reachable"} {
		t.Run(spec, func(t *testing.T) {
			name, _, _ := strings.Cut(spec, ":")
			g, err := f.Family(name, name).Open(spec)
			require.NoError(t, err)
			plain, err := f.Game(name)
			require.NoError(t, err)
			require.Equal(t, plain.Start(), g.Start())
			gametest.Run(t, g)
		})
	}
	_, err = BuiltIn().Family("minishogi", "minishogi").Open("minishogi:pieces=start")
	require.ErrorContains(t, err, "can be distributed in more than")
	_, err = BuiltIn().Family("chess", "chess").Open("chess:pieces=start")
	require.ErrorContains(t, err, "classes of material")
}

// TestHeldClasses opens the classes of up to three pieces. A second lion is refused: its positions would be those of one lion.
func TestHeldClasses(t *testing.T) {
	f := BuiltIn().Family("dobutsu", "dobutsu")
	_, err := f.Open("dobutsu:pieces=3")
	require.NoError(t, err)
	_, err = f.Open("dobutsu:pieces=LLvL")
	require.ErrorContains(t, err, "white has 2 of the piece L in LLvL, want 1 to 1")
}

// TestHeldRefused has rules beside hands that are not numbered, and rules under which a game is not over when a royal piece can
// be taken: the option royal would give false values there.
func TestHeldRefused(t *testing.T) {
	_, err := BuiltIn().Family("crazyhouse", "crazyhouse").Open("crazyhouse:pieces=KPvKP")
	require.ErrorContains(t, err, "captures in passing")
	_, err = BuiltIn().Family("dobutsu", "dobutsu").Open("dobutsu:royal=takeable")
	require.NoError(t, err)
	for _, key := range []string{"mustDrop = true", "mutuallyImmuneTypes = l", "extinctionPieceCount = 1", "extinctionOpponentPieceCount = 3",
		"extinctionClaim = true", "extinctionPseudoRoyal = true", "immobilityIllegal = true", "king = k", "extinctionPieceTypes = *"} {
		f, err := Read("x.ini", strings.NewReader("[x:dobutsu]\n"+key+"\n"), BuiltIn())
		require.NoError(t, err)
		_, err = f.Family("x", "x").Open("x:royal=takeable")
		require.Error(t, err, key)
	}
}

// TestReachableEverywhere has classes in which every position is finished when goals can be reached, or none is left.
func TestReachableEverywhere(t *testing.T) {
	f, err := Read("two.ini", strings.NewReader(twoText), BuiltIn())
	require.NoError(t, err)
	for _, class := range []string{"PvP", "PPPPvP"} {
		g, err := f.Family("two", "two").Open("two:goal=reachable,pieces=" + class)
		require.NoError(t, err)
		gametest.Run(t, g)
	}
}

// TestReachableRefused has rules under which a move to a goal need not win: the option goal would give false values there.
func TestReachableRefused(t *testing.T) {
	for key, refused := range map[string]bool{
		"nMoveRule = 50": false, "flagPieceCount = 2": true, "flagMove = true": true, "flagPieceSafe = true": true, "mustCapture = true": true,
		"king = k": true, "pieceDrops = true\ncapturesToHand = true": true, "blastOnCapture = true": true, "mutuallyImmuneTypes = p": true,
		"extinctionValue = win\nextinctionPieceTypes = p": true, "immobilityIllegal = true": true, "flagRegionWhite = -\nflagRegionBlack = -": true,
	} {
		f, err := Read("x.ini", strings.NewReader("[x:breakthrough]\n"+key+"\n"), BuiltIn())
		require.NoError(t, err, key)
		_, err = f.Family("x", "x").Open("x:goal=reachable")
		if require.Equal(t, refused, err != nil, key); refused {
			require.ErrorContains(t, err, "goal", key)
		}
	}
}

const twoText = `
[two:hexapawn]
maxRank = 2
startFen = ppp/PPP w - - 0 1
flagRegionWhite = *2
flagRegionBlack = *1
`

const tinyText = `
[tiny:dobutsu]
maxRank = 3
startFen = 1lc/3/CL1[-] w - - 0 1
promotionRegionWhite = *3
promotionRegionBlack = *1
flagRegionWhite = *3
flagRegionBlack = *1

[hopper:hexapawn]
maxRank = 4
startFen = ppp/3/3/PPP w - - 0 1
`
