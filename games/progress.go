package games

// Progress is told that so many units of a piece of work, such as "positions", are done, of a total that is 0
// if it is not known. What calls it says whether it may do so on several goroutines at once.
type Progress func(unit string, done, total uint64)
