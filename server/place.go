package server

import "github.com/yomikiri/yomikiri/server/lookup"

// Place is a position whose value is not looked up.
type Place = lookup.Place

// Step is a move of a [Place].
type Step = lookup.Step
