// Package lookup answers the requests of the API that look up positions in a database: values, moves, lines, boards, and
// the positions of a value. It knows no engine, so it runs in a browser too; see [Handler]. Package server answers by it.
package lookup
