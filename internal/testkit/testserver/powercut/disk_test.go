package powercut_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/durable"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/powercut"
)

// steps writes a file, syncs it, renames it and syncs its folder. It returns the number of operations after each step.
func steps(t *testing.T, d *powercut.Disk) (points []int) {
	t.Helper()
	temp, name := filepath.Join(d.Dir, "temp"), filepath.Join(d.Dir, "name")
	f, err := os.Create(temp)
	for _, step := range []func() error{
		func() error { _, err := f.WriteString("content"); return err },
		func() error { return f.Sync() },
		func() error { return errors.Join(f.Close(), os.Rename(temp, name)) },
		func() error { return durable.Sync(d.Dir) },
	} {
		if err == nil {
			err = step()
		}
		if err != nil {
			t.Fatal(err)
		}
		points = append(points, d.Ops())
	}
	return points
}

func TestDiskKeepsOnlySyncedData(t *testing.T) {
	const none, empty, whole = "none", "", "content"
	for name, c := range map[string]struct {
		loss  powercut.Loss
		after []string // contents under the two names after each step
	}{
		"nothing is lost": {powercut.Loss{}, []string{"content none", "content none", "none content", "none content"}},
		"contents": {powercut.Loss{Contents: true},
			[]string{" none", "content none", "none content", "none content"}},
		"names": {powercut.Loss{Names: true},
			[]string{"none none", "none none", "none none", "none content"}},
		"deaf to files": {powercut.Loss{Contents: true, DeafFiles: true},
			[]string{" none", " none", "none ", "none "}},
		"deaf to folders": {powercut.Loss{Names: true, DeafFolders: true},
			[]string{"none none", "none none", "none none", "none none"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := powercut.Mount(t)
			points, at := steps(t, d), 0
			d.Each(t, points, c.loss, func(_ int, dir string) {
				got := ""
				for i, name := range []string{"temp", "name"} {
					data, err := os.ReadFile(filepath.Join(dir, name))
					if text := string(data); errors.Is(err, os.ErrNotExist) {
						got += none
					} else if err != nil || text != empty && text != whole {
						t.Fatal(text, err)
					} else {
						got += text
					}
					if i == 0 {
						got += " "
					}
				}
				if got != c.after[at] {
					t.Errorf("after step %d: %q, want %q", at, got, c.after[at])
				}
				at++
			})
		})
	}
}
