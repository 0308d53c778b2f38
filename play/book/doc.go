// Package book has opening books: which moves are sensible in the first positions of a game.
//
// [Build] makes a book, from games that were played or by a search that grows it from the start
// position. [Read] and [Book.Write] are for its file, and [Open] looks positions up, for a search
// ([play.Query]).
//
// A book knows positions by their text, and of those that are equal but for symmetry only the
// canonical one. It knows nothing of how a game is symmetric: a move of another position is the
// one that leads to the same canonical position.
//
// A file is the container of package sealed. Its header is an [Origin]; its chunks are lines of
// JSON, each a [Position]:
//
//	{"position":"TEXT","moves":[MOVE, …]}
//
// A file with a move that is not legal, or that leads where another one leads, is refused.
package book
