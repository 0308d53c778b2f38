package ui

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// outputClosed reports whether a shell has started the program with its standard output closed, as
// by >&-. Go then opens /dev/null in its place, for reading and writing, and results would be lost
// without an error. A shell's >/dev/null is for writing only. Other programs may open it for both when they
// throw the output away, as Python's subprocess.DEVNULL does, so what they have started never counts as closed; nor does what a shell hands on.
func outputClosed() bool {
	parent := fmt.Sprint(os.Getppid())
	name, err := os.ReadFile("/proc/" + parent + "/comm")
	return err == nil && slices.Contains(shells, strings.TrimSpace(string(name))) && isNull("self") && !isNull(parent)
}

var shells = []string{"sh", "ash", "bash", "busybox", "dash", "fish", "ksh", "mksh", "zsh"}

// isNull reports whether the standard output of a process is /dev/null, open for reading and writing.
func isNull(process string) bool {
	file, err := os.Readlink("/proc/" + process + "/fd/1")
	if err != nil || file != os.DevNull {
		return false
	}
	var position int64
	var flags int
	info, err := os.ReadFile("/proc/" + process + "/fdinfo/1")
	if err == nil {
		_, err = fmt.Sscanf(string(info), "pos: %d\nflags: %o", &position, &flags)
	}
	return err == nil && flags&os.O_RDWR != 0
}
