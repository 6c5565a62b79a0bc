// Package testgit runs the real git for tests, independent of the machine's settings.
//
// Inputs: a folder and arguments. Outputs: git's output without surrounding white space. The author is Test
// <test@example.com>; use -c user.name=… or --author to change it.
package testgit

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Run runs git in a folder. A failure fails the test.
func Run(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := Output(dir, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Output is like Run but returns the error, for goroutines that cannot fail the test.
func Output(dir string, args ...string) (string, error) {
	settings := []string{
		"-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "init.defaultBranch=main",
	}
	cmd := exec.Command("git", append(settings, args...)...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %v: %w\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out)), nil
}
