//go:build kubernetes

package kubernetes

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const guide = "../../docs/guides/kubernetes-walkthrough.mdx"

var guideBlock = regexp.MustCompile("(?ms)^```(bash|text)\n(.*?)^```")

// step is a command in the guide with lines that its output must contain.
type step struct {
	command string
	lines   []string
}

func guideSteps(t *testing.T) (steps []step) {
	t.Helper()
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range guideBlock.FindAllStringSubmatch(string(text), -1) {
		if m[1] == "bash" {
			steps = append(steps, step{command: m[2]})
		} else if len(steps) > 0 {
			steps[len(steps)-1].lines = strings.Split(strings.TrimSpace(m[2]), "\n")
		}
	}
	if len(steps) < 9 {
		t.Fatalf("the guide has %d steps", len(steps))
	}
	return steps
}

// run runs the command in a folder with the variables of earlier steps.
func (s step) run(t *testing.T, dir string, env []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	script := "if [ -f .variables ]; then source .variables; fi\nset -a\n" + s.command + "\nexport -p > .variables\n"
	cmd := node.Command(ctx, "bash", "-euo", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = dir, append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%s\n%s", err, s.command, out)
	}
	t.Logf("%s%s", s.command, out)
	rest := string(out)
	for _, line := range s.lines {
		_, after, found := strings.Cut(rest, line)
		if !found {
			t.Fatalf("%s\nprinted\n%s\nbut not, in order, the guide's line\n%s", s.command, out, line)
		}
		rest = after
	}
}

// followsTheGuide checks that the guide's commands work as described, in its order, with the platform's server and
// repository (H10).
func (p *platform) followsTheGuide(r *repository, projectID string) {
	p.t.Helper()
	dir := p.t.TempDir()
	for name, target := range map[string]string{"lectern.tgz": chartFile, "handbook": r.clone} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			p.t.Fatal(err)
		}
	}
	volumes(p.t, "handbook", 2)
	env := append(gitIdentity(), "LECTERN_URL="+p.url, "LECTERN_KEY="+p.key, "DOMAIN="+domain, "PROJECT="+projectID)
	for _, s := range guideSteps(p.t) {
		s.run(p.t, dir, env)
	}
}
