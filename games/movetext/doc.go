// Package movetext writes the moves of a game as PGN and PDN do: with their numbers, marks such as ?! or $6, comments in
// braces, and variations in parentheses.
package movetext
