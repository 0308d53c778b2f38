// Package server answers over HTTP what is known of solved games, and shows it in a
// browser.
//
// [New] returns the handler for databases, searches and proof files, which a [Config]
// lists. The server knows no game: [NewDatabase] joins one to its database, and what
// only one game has, such as a search for mates, is a [Search] in the list.
//
//	GET  /api/v1/games               what is served
//	GET  /api/v1/{game}              value and moves of a position
//	GET  /api/v1/{game}/line         best play
//	GET  /api/v1/{game}/stats        positions by value
//	POST /api/v1/{game}              many positions at once
//	GET  /healthz, /metrics          for those who run it
//	GET  /                           the web page, in the folder web
//
// docs/server.md describes the answers.
package server
