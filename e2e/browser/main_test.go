package browser

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// sharedDir is the folder of files that tests share; it is removed at the end.
var sharedDir string

// theProgram is the binary, built when the first test asks for it.
var theProgram = sync.OnceValues(func() (string, error) { return lectern.Build(sharedDir) })

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	var err error
	if sharedDir, err = os.MkdirTemp("", "lectern-browser-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(sharedDir) }()
	defer func() { stopTheBrowser() }()
	defer gitea.StopShared()
	if err := lectern.AtOnce(4); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}
