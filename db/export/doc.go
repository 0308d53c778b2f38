// Package export writes the positions of a database as a table, for programs that analyse data: in Parquet, as
// comma-separated values, or as JSON objects, one on a line.
//
// [Write] reads blocks in the order of indices and encodes rows on several threads. The result is the same for any number
// of threads. A [Where] selects rows. [WriteCounts] writes the counts of a manifest. docs/export.md describes the columns.
package export
