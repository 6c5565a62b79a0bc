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

// BuiltProgram is the environment variable with the path of the program, if it was built once for several suites.
// Its name does not have the prefix of settings, because the program refuses to start with an unknown setting.
const BuiltProgram = "TESTED_LECTERN"

// Build returns the path of the program: the one built for all suites, or one that it compiles into dir.
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

// Run runs a command until it exits and returns its standard output. It fails the test if the command fails.
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

// Environment returns the environment of a program, without the developer's own settings. It makes servers print their
// first key, because tests read the key from the output, which is not a terminal. If the program was built for several
// suites, they share a build cache: most servers publish the same docs at their first start, and building them again
// would take two thirds of a start's processor time.
func Environment(t testing.TB, env []string) []string {
	own := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LECTERN_METRICS_LISTEN=off",
		"LECTERN_FIRST_SECRETS=print"}
	if built := os.Getenv(BuiltProgram); built != "" {
		own = append(own, "LECTERN_CACHE_FOLDER="+filepath.Join(filepath.Dir(built), "builds"))
	}
	return append(own, env...)
}
