package lectern_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// shell runs a script instead of the program.
func shell(t *testing.T, script string) *lectern.Process {
	t.Helper()
	return lectern.Spawn(t, "/bin/sh", []string{"WORD=hello"}, "-c", script)
}

func TestProcessOutputIsCapturedAndProcessStopped(t *testing.T) {
	p := shell(t, `trap 'echo bye; exit 0' TERM; echo "$WORD $LECTERN_DATABASE"; while :; do sleep 0.02; done`)
	p.Await("its word", func() bool { return strings.Contains(p.Output(), "hello \n") })
	p.Stop()
	if got := p.Tail(4); got != "bye\n" {
		t.Errorf("the end of its output is %q", got)
	}
	if p.Err() != nil {
		t.Error(p.Err())
	}
}

func TestFailedProcessIsReported(t *testing.T) {
	p := shell(t, `echo started; exit 3`)
	if err := p.Wait("what never comes", func() bool { return false }); err == nil ||
		!strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("%v", err)
	}
	q := shell(t, `trap '' TERM; echo started; exec sleep 1000`)
	q.Await("its start", func() bool { return strings.Contains(q.Output(), "started") })
	q.Kill()
	if err := q.Signal(syscall.SIGTERM); err == nil || q.Err() == nil {
		t.Errorf("after kill -9: %v, %v", err, q.Err())
	}
}

func TestFreeAddressesDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range lectern.FreeAddresses(t, 200) {
		seen[a] = true
	}
	if len(seen) != 200 {
		t.Errorf("%d different addresses", len(seen))
	}
}
