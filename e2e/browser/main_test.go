package browser

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// workshop is the folder of what tests share; it goes when they are done.
var workshop string

// theProgram is the binary, built when the first test asks for it.
var theProgram = sync.OnceValues(func() (string, error) { return lectern.Build(workshop) })

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	var err error
	if workshop, err = os.MkdirTemp("", "lectern-browser-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(workshop) }()
	defer func() { stopTheBrowser() }()
	if err := lectern.AtOnce(4); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}
