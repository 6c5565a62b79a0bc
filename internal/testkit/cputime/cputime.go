// Package cputime measures work by the processor time of the test's own process, which does not depend on what else the
// machine does.
package cputime

import (
	"syscall"
	"testing"
	"time"
)

// Used returns what this process has used so far. Systems are exact about the sum of its two parts only.
func Used(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
