package race

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func newLab(t *testing.T, limit time.Duration) *lab {
	t.Helper()
	l, err := openLab(context.Background(), t.TempDir(), limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	return l
}

func TestMeasurementIncludesChildProcesses(t *testing.T) {
	l := newLab(t, time.Minute)
	// The grandchild holds 64 MiB and works for a while.
	const script = `(head -c 67108864 /dev/zero | tail -c 67108864 | wc -c); echo "$MARK"; exit 0`
	took, err := l.run(t.Context(),
		command{dir: l.work, args: []string{"sh", "-c", script}, env: []string{"MARK=here"}})
	if err != nil {
		t.Fatal(err)
	}
	if why := l.why(took); why != "" {
		t.Fatal(why)
	}
	if took.Peak < 60<<20 || took.Wall <= 0 || took.CPU <= 0 {
		t.Errorf("%+v, want at least 60 MiB", took)
	}
	if got := l.lastLine("stdout"); got != "here" {
		t.Errorf("it printed %q", got)
	}
}

func TestTimeLimitKillsAllProcesses(t *testing.T) {
	l := newLab(t, time.Second)
	spent, err := l.run(t.Context(),
		command{dir: l.work, args: []string{"sh", "-c", `sleep 1000 & echo $! > pid; wait`}})
	if err != nil {
		t.Fatal(err)
	}
	if f := best("x", []*took{spent}); !f.least {
		t.Errorf("%+v", spent)
	}
	text, err := os.ReadFile(filepath.Join(l.work, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	// The signal is sent by now. On a busy machine the process needs some time to end.
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(time.Minute); alive(pid); <-tick.C {
		if time.Now().After(end) {
			t.Fatalf("process %d still runs", pid)
		}
	}
}

// alive reports whether a process runs; one that has exited, or waits for its parent to notice, does not.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return syscall.Kill(pid, 0) == nil
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}

func TestFailureIncludesReason(t *testing.T) {
	l := newLab(t, time.Minute)
	for script, want := range map[string]string{
		"echo first >&2; echo the reason >&2; exit 3": "exit 3: the reason",
		"echo said; exit 1":                           "exit 1: said",
		"exit 1":                                      "exit 1: it did not say why",
		"echo 'FATAL ERROR: Reached heap limit - JavaScript heap out of memory'>&2; exit 9": outOfMemory,
		"true": "",
	} {
		took, err := l.run(t.Context(), command{dir: l.work, args: []string{"sh", "-c", script}})
		if err != nil {
			t.Fatal(err)
		}
		if got := l.why(took); got != want {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
}

// The baseline repeats the given output: the same number of files, with the same names and sizes.
func TestBaselineWritesFilesOfSameSizes(t *testing.T) {
	l := newLab(t, time.Minute)
	s := site{pages: 45}
	o, err := ours{lab: l, rounds: 1}.open(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(o.dir, o.out("dir")); err != nil { // any files will do
		t.Fatal(err)
	}
	want, err := measureOutput(o.out("dir"), ".md")
	if err != nil || want.matching != s.pages {
		t.Fatal(want, err)
	}
	var rows []figure
	if err := o.baselines(t.Context(), func(f figure) { rows = append(rows, f) }); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2 || rows[0].files != want.files || rows[0].bytes != want.bytes || rows[1].files != 1 ||
		rows[1].bytes*2 > want.bytes {
		t.Errorf("%+v of %+v", rows, want)
	}
}

func TestPeersAreChosenByName(t *testing.T) {
	for list, want := range map[string]int{"": 3, "none": 0, "hugo": 1, "vitepress, hugo": 2} {
		got, err := choose(list)
		if err != nil || len(got) != want {
			t.Errorf("%q: %d peers, %v", list, len(got), err)
		}
	}
	if _, err := choose("hugo,word"); err == nil {
		t.Error("a peer that does not exist was found")
	}
}
