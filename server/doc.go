// Package server answers questions about solved games over HTTP, and shows the answers in a
// browser.
//
// [New] returns the handler for databases, searches and proof files, which a [Config]
// lists. The server has no code for particular games: [NewDatabase] combines a game with
// its database, and anything that only one game has, such as a search for mates, is a
// [Search] in the list.
//
//	GET  /api/v1/games               what is served
//	GET  /api/v1/{game}              value and moves of a position
//	GET  /api/v1/{game}/line         best play
//	GET  /api/v1/{game}/move         a move of an opponent
//	GET  /api/v1/{game}/stats        positions by value
//	GET  /api/v1/{game}/positions    positions with a value; /random, one of them
//	GET  /api/v1/{game}/review       what the moves of a game gave away
//	POST /api/v1/{game}/records      games in the notations that analyze reads
//	POST /api/v1/{game}              many positions at once
//	GET  /api/v1/proof/{name}/node   a position of a proof; /line, a line of play by it
//	GET  /healthz, /metrics          for those who run it
//	GET  /                           the web page, in the folder web
//
// docs/api.md describes the answers.
package server
