// Package prooffile is what commands do with proof files: they write one, verify it before they print what it
// proves, and play by others.
//
// [Write] writes a file. What a search has found is not printed before its proof is accepted: [VerifyFile] checks a
// file, and [VerifyUnwritten] a proof that becomes none. A proof that is refused is an internal error, since the
// program contradicts itself. [Open] opens files to play by, as a [Set] for each game.
package prooffile
