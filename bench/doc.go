// Package bench measures the engines. A benchmark is a configuration with a method Run,
// which reports each result as it is measured:
//
//   - [Retro] and [Solve]: moves, unmoves, the retrograde engine, and probes;
//   - [Probes]: what lookups in a database cost;
//   - [Tsume]: sets of mate problems, among them the classical ones of [TsumeSets].
package bench
