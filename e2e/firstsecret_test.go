package e2e

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

var runRecipe = regexp.MustCompile(`(?m)^.*bin/lectern serve.*$`)

// make run explicitly requests the first key, so that the server prints it even when its output is piped.
func TestMakeRunPrintsFirstKey(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	data := t.TempDir()
	plan := exec.Command("make", "--no-print-directory", "-n", "run", "ARGS=--listen "+address+" --data "+data)
	plan.Dir = ".."
	out, err := plan.CombinedOutput()
	recipe := runRecipe.FindString(string(out))
	if err != nil || recipe == "" {
		t.Fatalf("make -n run: %v\n%s", err, out)
	}
	p := lectern.Spawn(t, "bash", []string{"LECTERN_FIRST_SECRETS="}, "-c",
		strings.Replace(recipe, "bin/lectern", "exec "+binary, 1))
	p.Await("the first key", func() bool { return keyShape.MatchString(p.Output()) })
	if !strings.Contains(p.Output(), "/dashboard/join?token=") {
		t.Errorf("no link for the owner:\n%s", p.Output())
	}
	p.Stop()
}
