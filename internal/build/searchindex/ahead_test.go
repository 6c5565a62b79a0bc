package searchindex

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// testRuns returns runs with some thousand terms, whose lists take several batches.
func testRuns(t *testing.T) (runs []run) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "lists"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	at := int64(0)
	for base := range 3 {
		var w listWriter
		var out []byte
		for i := range 4000 {
			w.list.reset()
			for chunk := range 1 + i%97 {
				w.list.add(chunk, uint8(chunk%31))
			}
			out = w.append(out, fmt.Sprintf("term%05d", i*(base+1)))
		}
		if _, err := f.WriteAt(out, at); err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run{from: f, at: at, size: int64(len(out)), terms: 4000, base: 100 * base, chunks: 100})
		at += int64(len(out))
	}
	return runs
}

// Merging in another goroutine gives the same terms and lists in the same order.
func TestMergeAheadEqualsMerge(t *testing.T) {
	runs := testRuns(t)
	var got [2][]string
	for i, merge := range []func([]run, func([]byte, *list) error) error{merge, mergeAhead} {
		err := merge(runs, func(term []byte, l *list) error {
			got[i] = append(got[i], fmt.Sprint(string(term), l.n, l.first, l.last, l.heading, string(l.rest), string(l.levels)))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(got[0]) < 4000 || strings.Join(got[0], "\n") != strings.Join(got[1], "\n") {
		t.Errorf("%d terms, and %d ahead", len(got[0]), len(got[1]))
	}
}

// An error on either side ends the merge and leaves no goroutine behind.
func TestMergeAheadEndsWithFirstError(t *testing.T) {
	before, broken := runtime.NumGoroutine(), errors.New("broken")
	for _, after := range []int{0, 1, 3000, 7000} {
		calls := 0
		err := mergeAhead(testRuns(t), func([]byte, *list) error {
			if calls++; calls > after {
				return broken
			}
			return nil
		})
		if !errors.Is(err, broken) || calls != after+1 {
			t.Errorf("%v after %d calls", err, calls)
		}
	}
	runs := testRuns(t)
	runs[1].size /= 2
	if err := mergeAhead(runs, func([]byte, *list) error { return nil }); err == nil {
		t.Error("a truncated run is not reported")
	}
	if err := mergeAhead(nil, func([]byte, *list) error { return broken }); err != nil {
		t.Errorf("no runs: %v", err)
	}
	for runtime.NumGoroutine() > before {
		runtime.Gosched()
	}
}
