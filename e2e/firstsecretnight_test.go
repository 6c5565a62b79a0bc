//go:build nightly

package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// K9: the Debian package's service, whose output goes to the journal, never prints a key or a link that creates an
// account. It says how to get both, and these commands work.
func TestDebianServicePrintsNoSecret(t *testing.T) {
	t.Parallel()
	settings, err := os.ReadFile("../packaging/lectern.yaml")
	if err != nil {
		t.Fatal(err)
	}
	data, address := t.TempDir(), freeAddress(t)
	file := filepath.Join(t.TempDir(), "lectern.yaml")
	write(t, file, strings.NewReplacer("/var/lib/lectern", data, "127.0.0.1:8080", address).Replace(string(settings)))
	args, env := unitSettings(t)
	for i, arg := range args {
		args[i] = strings.Replace(arg, "/etc/lectern/lectern.yaml", file, 1)
	}
	// The tests' shared helper explicitly requests first secrets; this test must not.
	env = append([]string{"LECTERN_FIRST_SECRETS=auto"}, env...)
	for range 2 {
		p := spawn(t, env, args...)
		p.url, p.data = "http://"+address, data
		p.Await("readiness", func() bool { return status(p.url+"/readyz") == http.StatusOK })
		p.Await("the address of the docs",
			func() bool { return strings.Contains(p.Output(), "http://docs.localhost:") })
		out := p.Output()
		if keyShape.MatchString(out) || strings.Contains(out, "token=") {
			t.Errorf("the journal contains a secret:\n%s", out)
		}
		for _, want := range []string{"org invite --role owner", "keys create"} {
			if !strings.Contains(out, want) {
				t.Errorf("the output does not mention %q:\n%s", want, out)
			}
		}
		key := strings.TrimSpace(command(t, env, "keys", "create", "--config", file))
		if _, err := p.client(key).GetDeployment(background()); err != nil {
			t.Errorf("a key created on the machine: %v", err)
		}
		if link := command(t, env, "org", "invite", "--role", "owner", "--config", file); !strings.Contains(link,
			"/dashboard/join?token=") {
			t.Errorf("the link is %s", link)
		}
		p.Stop()
	}
}

// unitSettings returns the program's arguments and environment variables in the Debian package's service.
func unitSettings(t *testing.T) (args, env []string) {
	t.Helper()
	unit, err := os.ReadFile("../packaging/lectern.service")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(unit), "\n") {
		if command, ok := strings.CutPrefix(line, "ExecStart="); ok {
			args = strings.Fields(command)[1:]
		}
		if variables, ok := strings.CutPrefix(line, "Environment="); ok {
			env = append(env, strings.Fields(variables)...)
		}
	}
	if len(args) == 0 {
		t.Fatal("the unit starts nothing")
	}
	return args, env
}
