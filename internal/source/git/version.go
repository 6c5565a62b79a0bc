package git

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Oldest is the oldest version of git that our commands support, major and minor: it introduced merging without a
// work tree.
const Oldest = "2.38"

// Version returns the version of the git program on the search path, such as "2.47.1", and whether it is recent
// enough.
func Version(ctx context.Context) (version string, enough bool, err error) {
	git, err := exec.LookPath("git")
	if err != nil {
		return "", false, fmt.Errorf("find git: %w", err)
	}
	cmd := exec.CommandContext(ctx, git, "version")
	cmd.Env = []string{"LC_ALL=C"}
	out, err := cmd.Output()
	if err != nil {
		return "", false, fmt.Errorf("get git version: %w", err)
	}
	version = strings.TrimPrefix(strings.TrimSpace(string(out)), "git version ")
	var major, minor, wantMajor, wantMinor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return version, false, fmt.Errorf("parse git version %q: %w", version, err)
	}
	if _, err := fmt.Sscanf(Oldest, "%d.%d", &wantMajor, &wantMinor); err != nil {
		return version, false, err
	}
	return version, major > wantMajor || major == wantMajor && minor >= wantMinor, nil
}
