package bundlestore

import (
	"fmt"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/powercut"
)

// history receives two bundles on a disk and rolls back. It returns the number of disk operations after each of these
// steps.
func history(t *testing.T, d *powercut.Disk) (first, second, back int) {
	t.Helper()
	v, err := Open(d.Dir+"/volume", steps())
	if err != nil {
		t.Fatal(err)
	}
	receive(t, v, bundleOf(t, "v1"))
	first = d.Ops()
	receive(t, v, bundleOf(t, "v2"))
	second = d.Ops()
	if _, err := v.Rollback("v1"); err != nil {
		t.Fatal(err)
	}
	return first, second, d.Ops()
}

// afterCuts cuts the power at each point of the history, and returns the points after which a server serves a wrong
// version.
func afterCuts(t *testing.T, loss powercut.Loss, every int) (wrong []string) {
	t.Helper()
	d := powercut.Mount(t)
	first, second, back := history(t, d)
	points := []int{}
	for n := 0; n <= back; n++ {
		if n%every == 0 || n == first || n == second || n == back {
			points = append(points, n)
		}
	}
	d.Each(t, points, loss, func(n int, dir string) {
		v, err := Open(dir+"/volume", steps())
		if err != nil {
			t.Fatal(err)
		}
		got := served(t, v)
		var may []string
		switch {
		case n < first:
			may = []string{"", "v1"}
		case n == first, n == back:
			may = []string{"v1"}
		case n == second:
			may = []string{"v2"}
		default:
			may = []string{"v1", "v2"}
		}
		for _, one := range may {
			if got == one {
				return
			}
		}
		wrong = append(wrong, fmt.Sprintf("after %d of %d operations (received at %d and %d): serves %q", n, back,
			first, second, got))
	})
	return wrong
}

// B13, D1: a power cut at any point of receiving, switching and rolling back leaves either the old or the new
// version, and operations reported as done stay done. All unsynced data is lost.
func TestPowerCutLeavesCompleteVersion(t *testing.T) {
	for name, loss := range powercut.Losses() {
		t.Run(name, func(t *testing.T) {
			for _, text := range afterCuts(t, loss, 1) {
				t.Error(text)
			}
		})
	}
}

// D1: the test above would detect a store that does not sync its files or its folders.
func TestPowerCutTestDetectsAMissingSync(t *testing.T) {
	for name, loss := range map[string]powercut.Loss{
		"files":   {Contents: true, DeafFiles: true},
		"folders": {Names: true, DeafFolders: true},
	} {
		t.Run(name, func(t *testing.T) {
			if len(afterCuts(t, loss, 50)) == 0 {
				t.Error("nothing was lost although nothing was synced")
			}
		})
	}
}
