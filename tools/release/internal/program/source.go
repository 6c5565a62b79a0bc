package program

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// FromGit describes a checkout. If version is "", it uses the commit's tag, or a name derived from the nearest one.
// If files differ from the commit, the source contains no commit, and its version is marked even if it was given
// explicitly: the result must not be mistaken for a release.
func FromGit(ctx context.Context, root, version string) (s Source, err error) {
	s = Source{Root: root, Version: version}
	if s.Go, err = Toolchain(root); err != nil {
		return s, err
	}
	if s.Commit, err = s.git(ctx, "rev-parse", "HEAD"); err != nil {
		return s, err
	}
	seconds, err := s.git(ctx, "log", "-1", "--format=%ct")
	if err != nil {
		return s, err
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return s, fmt.Errorf("read time of commit: %w", err)
	}
	s.Time = time.Unix(n, 0).UTC()
	if s.Version == "" {
		if s.Version, err = s.git(ctx, "describe", "--tags", "--always"); err != nil {
			return s, err
		}
	}
	changed, err := s.git(ctx, "status", "--porcelain", "--untracked-files=normal")
	if err != nil || changed == "" {
		return s, err
	}
	s.Commit, s.Dirty = "", true
	if !strings.HasSuffix(s.Version, "-dirty") {
		s.Version += "-dirty"
	}
	return s, nil
}

// Tracked lists the files below a folder that are tracked by git, relative to the checkout's root. It omits ignored
// and new files.
func (s Source) Tracked(ctx context.Context, folder string) ([]string, error) {
	out, err := s.git(ctx, "ls-files", "-z", "--cached", "--", folder)
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }), nil
}

func (s Source) git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", s.Root}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("run git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}
