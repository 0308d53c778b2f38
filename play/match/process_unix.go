//go:build unix

package match

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a program the first of a group of processes, which has all that it starts. An interrupt from the
// terminal does not reach it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a program and what it has started.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
