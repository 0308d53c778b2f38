package dfpn

import (
	"fmt"
	"os"
)

// Knob is temporary.
func Knob(name string, def int) int {
	fmt.Sscan(os.Getenv("K_"+name), &def)
	return def
}

var (
	kOrSum  = Knob("ORSUM", 0)
	kAndSum = Knob("ANDSUM", 0)
	kEps    = Knob("EPS", 3)
	kTie    = Knob("TIE", 1)
	kRef    = Knob("REF", 128)
	kDom    = Knob("DOM", 1)
	kTca    = Knob("TCA", 1)
)
