package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// LocalRepo is the repository that contains a docs folder on this machine. It is read-only: it never checks out,
// fetches or writes, and runs no program from the repository's own settings.
type LocalRepo struct {
	git    string // program
	dir    string // absolute path of the docs folder
	folder string // relative to the repository's root; "" = the root itself
}

// Commit identifies a commit in messages. Subject is untrusted.
type Commit struct {
	ID      string // full
	Subject string
}

// Short returns the abbreviated id.
func (c Commit) Short() string { return c.ID[:min(len(c.ID), 10)] }

// OpenLocal finds the repository that contains dir. git is the program to run; "" = the one on the search path. A
// folder outside of Git is an invalid field "base".
func OpenLocal(ctx context.Context, git, dir string) (*LocalRepo, error) {
	if git == "" {
		git = "git"
	}
	if _, err := exec.LookPath(git); err != nil {
		return nil, fault.New(fault.Invalid, "git_missing", "git is not installed, so there is nothing to compare with.").
			WithField("base").WithHint("Install git, or leave out --base.").WithCause(err)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find repository: %w", err)
	}
	r := &LocalRepo{git: git, dir: abs}
	prefix, err := r.line(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, r.notInGit(dir, err)
	}
	r.folder = strings.TrimSuffix(prefix, "/")
	return r, nil
}

// notInGit explains why git does not accept the folder.
func (r *LocalRepo) notInGit(dir string, err error) error {
	if strings.Contains(err.Error(), "dubious ownership") {
		return fault.Newf(fault.Invalid, "invalid_field", "The repository around %s belongs to another user.", dir).
			WithField("base").WithHint("Run the command as the owner of the repository, or change its owner.").WithCause(err)
	}
	return fault.Newf(fault.Invalid, "invalid_field", "The folder %s is not in a Git repository.", dir).
		WithField("base").WithHint("--base compares with a commit: run it in a clone, or leave out --base.").WithCause(err)
}

// Resolve returns the commit for a name such as main, v1.2 or HEAD~1.
func (r *LocalRepo) Resolve(ctx context.Context, name string) (string, error) {
	if commit, err := r.commit(ctx, name); err == nil {
		return commit, nil
	} else if ctx.Err() != nil {
		return "", err
	}
	f := fault.Newf(fault.Invalid, "invalid_field", "The commit %q is not in this repository.", name).WithField("base")
	switch _, err := r.commit(ctx, "origin/"+name); {
	case err == nil:
		return "", f.WithHint(fmt.Sprintf("Did you mean %q?", "origin/"+name))
	case r.Shallow(ctx):
		return "", f.WithHint(fmt.Sprintf("This clone is shallow. Fetch the commit first: "+
			"`git fetch --depth=1 origin %s`, then --base FETCH_HEAD; or clone with the whole history "+
			"(actions/checkout: fetch-depth: 0, GitLab: GIT_DEPTH: 0).", strings.TrimPrefix(name, "origin/")))
	}
	return "", f.WithHint("Pass a branch, a tag or a commit; `git fetch` gets the remote's branches and tags.")
}

func (r *LocalRepo) commit(ctx context.Context, name string) (string, error) {
	return r.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
}

// Shallow reports whether the clone's history is incomplete.
func (r *LocalRepo) Shallow(ctx context.Context) bool {
	answer, err := r.line(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && answer == "true"
}

// MergeBase returns the newest common commit of HEAD and another commit; ok is false if there is none, or if a
// shallow clone does not contain it.
func (r *LocalRepo) MergeBase(ctx context.Context, commit string) (base string, ok bool) {
	base, err := r.line(ctx, "merge-base", "HEAD", commit)
	return base, err == nil && base != ""
}

// line runs git and returns its output without the line end.
func (r *LocalRepo) line(ctx context.Context, args ...string) (string, error) {
	var out string
	err := r.read(ctx, func(stdout io.Reader) (err error) {
		out, err = readOutput(stdout)
		return err
	}, args...)
	return strings.TrimSuffix(out, "\n"), err
}

// read runs git in the docs folder while use reads its output.
func (r *LocalRepo) read(ctx context.Context, use func(io.Reader) error, args ...string) error {
	run, stop := context.WithCancel(ctx)
	defer stop()
	cmd := r.command(run, args...)
	var stderr tail
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("open pipe from git: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start git: %w", err)
	}
	if err := use(stdout); err != nil {
		stop()
		_ = cmd.Wait() // it was killed
		return err
	}
	if err := cmd.Wait(); err != nil {
		return errors.Join(ctx.Err(), fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.text)))
	}
	return nil
}

func (r *LocalRepo) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, r.git,
		append([]string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"}, args...)...)
	cmd.Dir, cmd.Env = r.dir, localEnv()
	return cmd
}

// pieces splits the output of git -z at NUL characters.
func pieces(stdout io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(stdout)
	s.Buffer(nil, 1<<20)
	s.Split(splitNUL)
	return s
}
