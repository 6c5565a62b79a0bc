package lectern

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// BuiltProgram is the environment variable with the path of the program, where it was built once for several suites.
// Its name has not the prefix of settings: the program refuses to start with one that it does not know.
const BuiltProgram = "TESTED_LECTERN"

// Build returns the path of the program: the one that was built for all suites, or else one that it compiles into a
// folder.
func Build(dir string) (string, error) {
	if built := os.Getenv(BuiltProgram); built != "" {
		if _, err := os.Stat(built); err != nil {
			return "", fmt.Errorf("find the program that %s names: %w", BuiltProgram, err)
		}
		return built, nil
	}
	binary := filepath.Join(dir, "lectern")
	build := exec.Command("go", "build", "-o", binary, "github.com/lectern-docs/lectern/cmd/lectern")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the binary: %w\n%s", err, out)
	}
	return binary, nil
}

// Run runs a command to its end and returns what it printed on standard output. A command that fails fails the test.
func Run(t testing.TB, binary string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = Environment(t, env)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("lectern %v: %v\n%s", args, err, errs.String())
	}
	return strings.TrimSpace(out.String())
}

// Environment returns what a program finds, with nothing of the developer's own settings in it. Tests read the first
// key from a server's output, which is not a terminal, so they ask for it by name. A program that was built for several
// suites has one build cache for all of them: most servers publish the same docs at their first start, and building
// them again would take two thirds of a start's processor time.
func Environment(t testing.TB, env []string) []string {
	own := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LECTERN_METRICS_LISTEN=off",
		"LECTERN_FIRST_SECRETS=print"}
	if built := os.Getenv(BuiltProgram); built != "" {
		own = append(own, "LECTERN_CACHE_FOLDER="+filepath.Join(filepath.Dir(built), "builds"))
	}
	return append(own, env...)
}
