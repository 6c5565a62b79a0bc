package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// workshop is the folder of what tests share; it goes when they are done.
var workshop string

// theProgram is the binary, built when the first test asks for it.
var theProgram = sync.OnceValues(func() (string, error) {
	path := filepath.Join(workshop, "lectern")
	build := exec.Command("go", "build", "-o", path, "../../cmd/lectern")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the binary: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	var err error
	if workshop, err = os.MkdirTemp("", "lectern-browser-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(workshop) }()
	return m.Run()
}
