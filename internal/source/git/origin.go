package git

import (
	"context"
	"os/exec"
	"strings"
)

// Origin is where a folder's repository came from.
type Origin struct {
	URL    string // of the remote "origin", as written; it may hold a password
	Branch string // that is checked out; "" = none
	Folder string // of the folder below the repository's root; "" = the root itself
}

// LocalOrigin reports where the repository around a folder of this machine came from; ok is false when there is none,
// or no remote. git is the program to run; "" = that of the system. Nothing that the repository's own settings name is
// run.
func LocalOrigin(ctx context.Context, git, dir string) (o Origin, ok bool) {
	if git == "" {
		git = "git"
	}
	ctx, stop := context.WithTimeout(ctx, localTime)
	defer stop()
	ask := func(args ...string) string {
		cmd := exec.CommandContext(ctx, git,
			append([]string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"}, args...)...)
		cmd.Dir, cmd.Env = dir, localEnv()
		out, err := cmd.Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	o.URL = ask("config", "--local", "--get", "remote.origin.url")
	if o.URL == "" {
		return Origin{}, false
	}
	o.Branch = ask("symbolic-ref", "--quiet", "--short", "HEAD")
	o.Folder = strings.TrimSuffix(ask("rev-parse", "--show-prefix"), "/")
	return o, true
}
