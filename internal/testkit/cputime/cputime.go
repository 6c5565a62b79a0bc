// Package cputime measures work by the processor time of the test's own process, which does not depend on other load on
// the machine.
package cputime

import (
	"syscall"
	"testing"
	"time"
)

// Used returns the processor time that this process has used so far. Only the sum of user and system time is exact.
func Used(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
