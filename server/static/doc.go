// Package static writes a static site of solved games: the web page of package server, packed databases, and the reader of
// cmd/reader, which answers in the browser what the page asks of the API. Any web host can have it.
//
// [FindReaders] returns the readers, which a program contains if it was built with the tag reader, or builds them. Pack the
// databases to their places in a directory, see [PackedName], and [Write] adds the rest. docs/publish.md describes the site.
package static
