package git

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// If git fails because this server has no space, no file descriptor or no writable disk, that is not reported as the
// author's mistake. The texts are git's own.
func TestAnOutageOfThisServerIsNotTheAuthorsMistake(t *testing.T) {
	j := explainer(t)
	for text, want := range map[string]syscall.Errno{
		"fatal: write error: No space left on device\nfatal: fetch-pack: invalid index-pack output\n":                                         syscall.ENOSPC,
		"fatal: unable to write loose object file: No space left on device\nfatal: unpack-objects failed\n":                                   syscall.ENOSPC,
		"fatal: failed to write to /data/cache/git/m.git/shallow.lock: No space left on device\n":                                             syscall.ENOSPC,
		"remote: Counting objects: 5\rremote: done.\nfatal: write error: Disk quota exceeded\nfatal: fetch-pack: invalid index-pack output\n": syscall.EDQUOT,
		"error: cannot create standard input pipe for git-upload-pack '/srv/docs.git': Too many open files\nfatal: unable to fork\n":          syscall.EMFILE,
		"error: cannot open 'FETCH_HEAD': Read-only file system\n":                                                                            syscall.EROFS,
	} {
		err := j.explain(t.Context(), errors.New("exit status 128"), text)
		if !errors.Is(err, want) || !fault.IsOutage(err) || fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A full disk of the code host is not an outage of this server, whatever the host prints.
func TestAFullDiskOfTheCodeHostIsNoOutageOfThisServer(t *testing.T) {
	j := explainer(t)
	for _, text := range []string{
		"remote: fatal: write error: No space left on device\nfatal: early EOF\nfatal: fetch-pack: invalid index-pack output\n",
		"remote: Counting objects: 5\rremote: No space left on device\nfatal: early EOF\n",
		"fatal: remote error: upload-pack: No space left on device\n",
		// the start of the line was cut off
		strings.Repeat("x", tailBytes-80) + " No space left on device\nfatal: early EOF\n" + strings.Repeat("y", 80),
	} {
		last := &tail{}
		if _, err := last.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		err := j.explain(t.Context(), errors.New("exit status 128"), last.String())
		if fault.IsOutage(err) || !fault.Is(err, fault.Unavailable) && !fault.Is(err, fault.Invalid) {
			t.Errorf("%.100q: %v", text, err)
		}
	}
}

// explainer returns a job that has not run anything.
func explainer(t *testing.T) *job {
	t.Helper()
	j, err := localCache(t).begin(Remote{Local: true, URL: newSource(t, page).dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.end)
	return j
}
