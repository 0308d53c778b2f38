//go:build !unix

package match

import "os/exec"

func ownGroup(*exec.Cmd) {}

// killGroup kills a program, but not what it has started.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
