package git

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Dates maps paths below the docs folder to the time of each file's last change. Files that no reachable commit
// changed are left out.
type Dates = map[string]time.Time

// Limits on reading a repository's history. Dates are optional: errors only leave them out.
const (
	historyDepth = 500              // commits of a remote's branch
	historyBytes = 256 << 20        // growth of the history mirror
	historyTime  = time.Minute      // for fetching and reading them
	localCommits = 20_000           // commits of a folder on this machine
	localTime    = 10 * time.Second // for reading them
	maxDated     = 200_000          // files
)

// logArgs lists the commits reachable from HEAD, or from the revision appended, each with its time and the files it
// changed. git reads only trees and runs no program from the repository's own settings.
var logArgs = []string{
	"log", "--no-show-signature", "--no-renames", "--no-ext-diff", "--no-textconv", "--name-only", "-z",
	"--format=%x01%ct %D",
}

// dates fetches the last commits of the ref without their files, and returns when the files of the remote's folder
// last changed. It uses a separate mirror, because servers leave out objects that we seem to have, so an incomplete
// mirror must never be used as a complete one. On any error, it returns no dates.
func (j *job) dates(ctx context.Context, m *mirror, ref, commit string) Dates {
	ctx, stop := context.WithTimeout(ctx, historyTime)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	h := &mirror{path: m.history(), file: m.file}
	out, err := j.commits(ctx, cancel, h, ref, commit)
	if err != nil {
		_ = os.RemoveAll(h.path) // it may be incomplete
		return nil
	}
	return out
}

func (j *job) commits(ctx context.Context, cancel context.CancelCauseFunc, h *mirror, ref, commit string) (out Dates,
	err error) {
	if err := j.bringHistory(ctx, cancel, h, commit, historyDepth, "+"+ref+":refs/lectern/history"); err != nil {
		return nil, err
	}
	folder, err := cleanFolder(j.remote.Folder)
	if err != nil {
		return nil, err
	}
	args := append(logArgs[:len(logArgs):len(logArgs)], commit, "--")
	if folder != "" {
		args = append(args, ":(top,literal)"+folder)
	}
	err = j.stream(ctx, h, func(_ io.WriteCloser, r io.Reader) error {
		out, err = parseDates(r, folder)
		return err
	}, args...)
	return out, err
}

// bringHistory fetches depth commits of refs without their files. commit only indicates the remote's object format.
func (j *job) bringHistory(ctx context.Context, cancel context.CancelCauseFunc, h *mirror, commit string, depth int,
	refspecs ...string) error {
	before, err := h.size()
	if err != nil || before > historyBytes {
		_ = os.RemoveAll(h.path)
		before = 0
	}
	if _, err := os.Stat(filepath.Join(h.path, "HEAD")); err != nil {
		if err := initBare(h.path, formatOf(commit)); err != nil {
			return err
		}
	}
	go j.cache.watch(ctx, cancel, h, before+j.cache.opt.MaxBytes-min(j.cache.opt.MaxBytes, historyBytes))
	_, err = j.output(ctx, h, append([]string{"fetch", "--quiet", "--force", "--no-tags", "--no-recurse-submodules",
		"--no-write-fetch-head", "--no-auto-maintenance", "--filter=blob:none", "--depth=" + strconv.Itoa(depth), "--",
		j.remote.URL}, refspecs...)...)
	return err
}

// history returns the path of the mirror that holds the last commits.
func (m *mirror) history() string { return strings.TrimSuffix(m.path, ".git") + ".history" }

// LocalDates returns when the files below dir last changed, if dir is in a repository that git trusts. git is the
// program; "" = the one on the search path. On any error, it returns no dates.
func LocalDates(ctx context.Context, git, dir string) Dates {
	if git == "" {
		git = "git"
	}
	ctx, stop := context.WithTimeout(ctx, localTime)
	defer stop()
	args := append([]string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"}, logArgs...)
	args = append(args, "--relative", "-n", strconv.Itoa(localCommits), "HEAD", "--", ".")
	cmd := exec.CommandContext(ctx, git, args...)
	cmd.Dir = dir
	cmd.Env = localEnv()
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return nil
	}
	dates, err := parseDates(out, "")
	if err != nil {
		stop()
	}
	if cmd.Wait() != nil || err != nil {
		return nil
	}
	return dates
}

// localEnv returns the environment for git in a folder of this machine: only the repository's own settings, and no
// network.
func localEnv() []string {
	return []string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0",
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_REPLACE_OBJECTS=1",
	}
}

// parseDates parses the output of logArgs, newest commit first:
//
//	log    = { commit }
//	commit = SOH seconds " " names NUL [ LF file NUL { file NUL } ]
//
// A commit at the end of a shallow history is marked "grafted" and appears to add every file, so it is ignored.
func parseDates(r io.Reader, folder string) (Dates, error) {
	out := Dates{}
	pieces := bufio.NewScanner(r)
	pieces.Buffer(nil, 1<<20)
	pieces.Split(splitNUL)
	var when time.Time
	for pieces.Scan() {
		text := strings.TrimPrefix(pieces.Text(), "\n")
		if head, ok := strings.CutPrefix(text, "\x01"); ok {
			seconds, names, _ := strings.Cut(head, " ")
			unix, err := strconv.ParseInt(seconds, 10, 64)
			if when = time.Unix(unix, 0).UTC(); err != nil || unix <= 0 || unix > 253402300799 ||
				strings.Contains(names, "grafted") {
				when = time.Time{}
			}
			continue
		}
		if folder != "" {
			text = strings.TrimPrefix(text, folder+"/")
		}
		if _, known := out[text]; text == "" || known || when.IsZero() || len(out) >= maxDated {
			continue
		}
		out[text] = when
	}
	return out, pieces.Err()
}
