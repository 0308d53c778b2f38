// Package server answers questions about solved games over HTTP, and shows the answers in a
// browser.
//
// [New] returns the handler for databases, searches and proof files, which a [Config]
// lists. The server has no code for particular games: [NewDatabase] combines a game with
// its database, and anything that only one game has, such as a search for mates, is a
// [Search] in the list.
//
// routes.go has the table of the API: a row for each method of a path, from which the rest follows.
// docs/api.md describes the answers.
package server
