package proof_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// documented returns docs/proof-format.md with single blanks, so that a quotation may go over
// the end of a line.
func documented(t *testing.T) string {
	text, err := os.ReadFile("../docs/proof-format.md")
	require.NoError(t, err)
	return strings.Join(strings.Fields(string(text)), " ")
}

// Parts of tiny files about tic-tac-toe.
const (
	// x is to move and wins on c3.
	winning  = `{"game":"tictactoe","root":"xx./oo./...","claims":["mover wins"]}`
	winsOnC3 = "\x01\x01\x01\x0bxx./oo./...\x02c3\x00" + "\x05\x01"
	oneOr    = `{"nodes":1,"or":1,"and":0,"certified":0,"references":0}`
	noNode   = `{"nodes":0,"or":0,"and":0,"certified":0,"references":0}`

	// o is to move and has two replies. After c2, x wins on a1; after a1, he draws on c2.
	lastTwo    = `{"game":"tictactoe","root":"xox/xo./.xo","claims":["other holds"],"repeats":true}`
	twoReplies = "\x0bxox/xo./.xo"
	afterA1    = "\x0bxox/xo./oxo"
	mirroredA1 = "\x0bxox/.ox/oxo"
	// The reply a1 leads to a node ahead, which is kept.
	lastTwoAhead = "\x06\x02" + afterA1 + "\x02\x01\x02" + twoReplies + "\x01\x01" + "\x01\x01\x01" + afterA1 + "\x02c2\x00" + "\x08\x03\x01" + "\x05\x02"
	aheadEnd     = `{"nodes":3,"or":1,"and":1,"certified":0,"references":3,"ahead":1}`
)

// TestDocument has tiny files that a sentence of docs/proof-format.md allows or forbids.
func TestDocument(t *testing.T) {
	chunk := func(kind byte, text string) proof.RawChunk { return proof.RawChunk{Kind: kind, Data: []byte(text)} }
	file := func(header, nodes, end string) []byte {
		return proof.WrapChunks(chunk('H', header), chunk('N', nodes), chunk('E', end))
	}
	cut := func(nodes ...string) []byte {
		chunks := []proof.RawChunk{chunk('H', winning)}
		for _, n := range nodes {
			chunks = append(chunks, chunk('N', n))
		}
		return proof.WrapChunks(append(chunks, chunk('E', oneOr))...)
	}
	replace := func(text string, pairs ...string) string {
		for i := 0; i < len(pairs); i += 2 {
			require.Contains(t, text, pairs[i])
			text = strings.Replace(text, pairs[i], pairs[i+1], 1)
		}
		return text
	}
	holding := replace(winning, "wins", "holds")
	repeating := replace(holding, "]}", `],"repeats":true}`)
	lost := replace(winning, "xx./oo./...", "xxx/oo./...", "mover", "other")
	drawn := `{"game":"tictactoe","root":"xox/xxo/oxo","claims":["mover holds","other holds"]}`
	tree := func(goal string) []byte {
		return file(`{"game":"gomoku:size=2x5,k=3","root":"5/1x3 x","claims":["mover `+goal+`"]}`,
			"\x03\x01\x01\x075/1x3 x\x15tree\na1\nd1\nc1 2 +a1=1\x05\x01", replace(oneOr, `"or":1`, `"or":0`, `"certified":0`, `"certified":1`))
	}
	aheadTwice := "\x06\x02" + afterA1 + "\x02\x01\x02" + twoReplies + "\x01\x01" + "\x06\x02" + afterA1 + "\x08\x03\x01" +
		"\x01\x01\x01" + afterA1 + "\x02c2\x00" + "\x08\x02\x01" + "\x05\x03"

	const smallRules = "maxRank = 1\nmaxFile = 1\nwazir = w\nstartFen = W w - - 0 1\ncastling = false\nstalemateValue = loss\n"
	quoted, err := json.Marshal(smallRules)
	require.NoError(t, err)
	small := fmt.Sprintf(`{"game":"small","root":"W w - - 0 1","claims":["other wins"],"rules":%s,"rules_digest":"%s"}`, quoted, games.RulesDigest(smallRules))

	const (
		rRules      = "Their digest is the first 16 hexadecimal digits of their SHA-256, in lower case."
		rBoth       = "one, or both to hold in either order"
		rAheadCount = "kinds 6 and 7, 0 if it is not there; optional"
		rRecords    = "There is at least one `N`; none is empty, and a record lies within one chunk."
		rRoot       = "At the end of the claim the distance counts from the number that the next node would have, and is 0 just if the root is finished. Otherwise the node has the position of the root, or an image of it, and the claimant to move just if the claim begins with `mover`."
		rDatabase   = "The logical checksum of a database is 16 digits from 0 to 9 and `a` to `f`"
		rKeeps      = "It names the node ahead, then the one that keeps it: both distances count from the number that the next node would have, and the second is the smaller one. It is a use of both, and the last one of the node ahead: before it, that must have exactly one use left."
		rKept       = "Every node ahead must be kept, by a node that is not ahead itself, with the same position, or an image of it, and the claimant to move in both or in neither."
		rJSON       = "JSON's blanks may stand anywhere, and nothing else, such as a byte order mark."
		rChildren   = "So children are in descending order without repetition, and no two are images of each other; there may be none. The claimant is to move at either the node or the child, not at both."
		rRank       = "So an AND node has at least 2 if a reply of his leads to neither a finished position nor a node."
	)
	text := documented(t)
	for _, c := range []struct {
		rule string // a sentence of the document
		data []byte
		want string // the error; none if the file is a proof
	}{
		{"A `repeats` of false is the same as none.", file(replace(repeating, "true", "false"), winsOnC3, oneOr), ""},
		{"Only claims to hold have a `repeats` of true", file(replace(repeating, "holds", "wins"), winsOnC3, oneOr), "a win cannot rest on positions that come again"},
		{"nodes ahead may be missing all the same", file(repeating, winsOnC3, oneOr), ""},
		{rDatabase, file(replace(repeating, "true", `true,"database":""`), winsOnC3, oneOr), `database "": want its logical checksum`},
		{rDatabase, file(replace(repeating, "true", `true,"database":"66C51C09337E849D"`), winsOnC3, oneOr), `database "66C51C09337E849D": want its logical checksum`},

		{rRules, file(small, "\x05\x00", noNode), ""},
		{rRules, file(replace(small, `"rules"`, `"rule"`), "\x05\x00", noNode), `unknown field "rule"`},
		{rRules, file(replace(small, games.RulesDigest(smallRules), "66c51c09337e849d"), "\x05\x00", noNode), "the digest of the rules is"},
		{rRules, file(replace(small, `,"rules_digest":"`+games.RulesDigest(smallRules)+`"`, ""), "\x05\x00", noNode), "rules and their digest come together"},
		{"A file about any other game has neither.", file(replace(winning, "]}", `],"rules_digest":"66c51c09337e849d"}`), winsOnC3, oneOr), "rules and their digest come together"},

		{rAheadCount, file(repeating, winsOnC3, replace(oneOr, "}", `,"ahead":0}`)), ""},
		{rAheadCount, file(winning, winsOnC3, replace(oneOr, "}", `,"ahead":0,"searched":0}`)), ""},
		{rAheadCount, file(lastTwo, lastTwoAhead, replace(aheadEnd, `,"ahead":1`, "")), "the end says"},
		{"of all claims: those of kinds 1 to 4, 6, 7, 9 and 10", file(lastTwo, lastTwoAhead, replace(aheadEnd, `"nodes":3`, `"nodes":2`)), "the end says"},
		{"from nodes to nodes, and two of each record that keeps, but not those of the ends of claims", file(lastTwo, lastTwoAhead, replace(aheadEnd, `"references":3`, `"references":4`)), "the end says"},
		{"Counts are digits, without sign, fraction or exponent.", file(winning, winsOnC3, replace(oneOr, `"or":1`, `"or":1e0`)), `field "or"`},

		{rRecords, cut("", winsOnC3), "has no nodes"},
		{rRecords, cut(winsOnC3, ""), "has no nodes"},
		{rRecords, cut(), "it proves 0 of 1 claims"},
		{rRecords, cut(winsOnC3[:19], winsOnC3[19:]), ""},
		{rRecords, cut(winsOnC3[:20], winsOnC3[20:]), "no reference"},
		{"No record follows the last one.", cut(winsOnC3, winsOnC3), "a node behind the last claim"},

		{rBoth, file(drawn, "\x05\x00\x05\x00", noNode), ""},
		{rBoth, file(replace(drawn, `"mover holds","other holds"`, `"other holds","mover holds"`), "\x05\x00\x05\x00", noNode), ""},
		{rBoth, file(replace(drawn, "other holds", "other wins"), "\x05\x00\x05\x00", noNode), "want one, or that both sides hold"},
		{rJSON, file("\ufeff"+winning, winsOnC3, oneOr), "want a JSON object"},
		{rJSON, file("\r\n"+replace(winning, ",", "\n\t, ", "[", " [ ")+" ", winsOnC3, oneOr), ""},

		{rRoot, file(lost, "\x05\x00", noNode), ""},
		{rRoot, file(replace(lost, "other", "mover"), "\x05\x00", noNode), "the root position is decided, loss in 0 for the side to move"},
		{rRoot, file(winning, "\x05\x00", noNode), "a reference to node 0"},
		{rRoot, file(replace(winning, "xx./oo./...", ".../.oo/.xx"), winsOnC3, oneOr), ""},
		{rRoot, file(replace(winning, "xx./oo./...", "x.x/oo./..."), winsOnC3, oneOr), "but the file is about"},

		{"In games whose positions cannot come again nodes ahead are of no use, but allowed.", file(lastTwo, lastTwoAhead, aheadEnd), ""},
		{"Several nodes may have the same position.", file(lastTwo, lastTwoAhead, aheadEnd), ""},
		{"Kinds 6 to 8 need a `repeats` of true.", file(replace(lastTwo, `,"repeats":true`, ""), lastTwoAhead, aheadEnd), "there is none in a file without repeats"},
		{rKeeps, file(lastTwo, replace(lastTwoAhead, "\x08\x03\x01", "\x08\x01\x03"), aheadEnd), "a node before the one ahead"},
		{rKeeps, file(lastTwo, replace(lastTwoAhead, "\x06\x02", "\x06\x03"), aheadEnd), "node 1 is kept, but 1 more references to it are to come"},
		{rKept, file(lastTwo, replace(lastTwoAhead, "\x08\x03\x01", ""), aheadEnd), "2 nodes are referred to less often than they say"},
		{rKept, file(lastTwo, replace(lastTwoAhead, afterA1+"\x02c2", mirroredA1+"\x02a2"), aheadEnd), ""},
		{rKept, file(lastTwo, aheadTwice, `{"nodes":4,"or":1,"and":1,"certified":0,"references":5,"ahead":2}`), "node 3 is ahead itself"},
		{rChildren, file(lastTwo, "\x02\x01\x02"+twoReplies+"\x00\x05\x01", replace(oneOr, `"or":1,"and":0`, `"or":0,"and":1`)), ""},
		{rRank, file(lastTwo, "\x02\x01\x01"+twoReplies+"\x00\x05\x01", replace(oneOr, `"or":1,"and":0`, `"or":0,"and":1`)), "is not answered"},

		{"For either claim, since who wins holds", tree("holds"), ""},
		{"For either claim, since who wins holds", tree("wins"), ""},
		{"in other games a certified node is refused", file(holding, "\x03\x01\x01\x0bxx./oo./...\x07pairing\x05\x01", replace(oneOr, `"or":1`, `"or":0`, `"certified":0`, `"certified":1`)), "know no certificates"},
		{"A position in which the side to move has a line is refused, and one in which a disc has an empty square below it.", file(replace(lost, "xxx/oo./...", "xxx/oo./o.."), "\x05\x00", noNode), "root: "},
	} {
		require.Contains(t, text, c.rule)
		_, err := checkBytes(c.data)
		if c.want == "" {
			require.NoError(t, err, "%s: %q", c.rule, c.data)
			continue
		}
		require.ErrorContains(t, err, c.want, "%s: %q", c.rule, c.data)
	}
}
