package git

import (
	"context"
	"os/exec"
	"strings"
)

// Origin is the remote that a folder's repository was cloned from.
type Origin struct {
	URL    string // URL of the remote "origin", as configured; it may contain a password
	Branch string // the branch that is checked out; "" = none
	Folder string // path of the folder below the repository's root; "" = the root itself
}

// LocalOrigin returns the origin of the repository that contains a folder on this machine; ok is false if there is
// no repository or no remote. git is the program to run; "" = the one on the search path. No program from the
// repository's own settings is run.
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
