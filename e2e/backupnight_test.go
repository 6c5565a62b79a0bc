//go:build nightly

package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// D3: kill -9 of a backup leaves no file under its name that is not whole, and of a restore no folder; what follows is
// not disturbed.
func TestKilledBackupOrRestoreLeavesNoPartialResult(t *testing.T) {
	t.Parallel()
	c, _ := startWithSample(t, "docs.localhost")
	random := rand.New(rand.NewPCG(8, 3))
	folder := t.TempDir()
	for n := range 12 {
		file := filepath.Join(folder, fmt.Sprintf("b%d.tar.gz", n))
		p := spawn(t, nil, "backup", file, "--data", c.data)
		<-time.After(time.Duration(random.IntN(250)) * time.Millisecond) // where it dies is chance
		p.Kill()
		if _, err := os.Stat(file); err == nil {
			command(t, nil, "backup", "check", file)
		}
	}
	file := filepath.Join(folder, "whole.tar.gz")
	command(t, nil, "backup", file, "--data", c.data)
	if left, _ := filepath.Glob(filepath.Join(c.data, "backup-tmp-*")); len(left) > 0 {
		t.Errorf("copies of killed backups: %v", left)
	}
	data := filepath.Join(folder, "restored")
	for range 12 {
		p := spawn(t, nil, "restore", file, "--data", data)
		<-time.After(time.Duration(random.IntN(200)) * time.Millisecond)
		p.Kill()
		if _, err := os.Stat(data); err == nil { // it was quicker
			if err := os.RemoveAll(data); err != nil {
				t.Fatal(err)
			}
		}
	}
	command(t, nil, "restore", file, "--data", data)
	left, err := filepath.Glob(data + "*")
	if err != nil || len(left) != 1 {
		t.Errorf("left beside the folder: %v %v", left, err)
	}
	serve(t, data, nil).Stop()
}
