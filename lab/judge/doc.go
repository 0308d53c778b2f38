// Package judge repeats the measurements of package play/measure for records of games, and compares them with values that
// are known: [Judge] says when players resign ([Resigning], with models of that: [Resignation]) and where the phases of a
// game meet ([Phases]), also against what people say ([Label]); [Errors] whether the measures of a lost position tell that the opponent is about to err; and
// [ErrorRates] how often an evaluation gives the true result away. docs/judging.md has what was found.
package judge
