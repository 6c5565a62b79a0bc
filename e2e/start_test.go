package e2e

import (
	"context"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

var keyShape = regexp.MustCompile(`lectern_[0-9A-Za-z]{38}`)

// page gets a page of a site by its host name.
func page(t *testing.T, p *process, host, path string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, p.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = host
	r, err := p.web().Do(req)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

func TestFirstStartPrintsNextSteps(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, nil)
	p.Await("the address of the docs", func() bool { return strings.Contains(p.Output(), "http://docs.localhost:") })
	key := keyShape.FindString(p.Output())
	if key == "" {
		t.Fatal("no key was printed")
	}
	p.Await("the docs site", func() bool {
		code, html := page(t, p, "docs.localhost", "/")
		return code == 200 && strings.Contains(html, "Lectern")
	})
	if code, html := page(t, p, "127.0.0.1", "/"); code != 200 || !strings.Contains(html, "<html") {
		t.Errorf("the dashboard's page: %d", code)
	}
	projects, err := p.client(key).ListProjects(background(), client.ListProjectsParams{Limit: 10})
	if err != nil || len(projects.Projects) != 2 { // our docs and the tour
		t.Fatalf("the printed key does not work: %v", err)
	}
	p.Stop()
	again := serve(t, data, nil)
	if printed := keyShape.FindString(again.Output()); printed != "" {
		t.Error("the second start printed a key")
	}
	if _, err := again.client(key).GetDeployment(background()); err != nil {
		t.Errorf("after a restart: %v", err)
	}
	again.Stop()
}

// With first secrets off, because the output is collected, a start neither prints nor creates a key or link.
func TestStartCanOmitSecretsFromOutput(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, nil, "--first-secrets", "off")
	p.Await("the address of the docs", func() bool { return strings.Contains(p.Output(), "http://docs.localhost:") })
	if out := p.Output(); keyShape.MatchString(out) || strings.Contains(out, "token=") {
		t.Errorf("a secret was printed: %s", out)
	}
	key := strings.TrimSpace(command(t, nil, "keys", "create", "--data", data, "--scope", "read,admin"))
	keys, err := p.client(key).ListKeys(background(), client.ListKeysParams{Limit: 10})
	if err != nil || len(keys.Keys) != 1 {
		t.Errorf("keys %+v (error %v)", keys, err)
	}
	if link := command(t, nil, "org", "invite", "--role", "owner", "--data", data); !strings.Contains(link,
		"/dashboard/join?token=") {
		t.Errorf("the link is %s", link)
	}
	p.Stop()
}

// An unknown or invalid setting aborts the start, and the message names it.
func TestInvalidSettingAbortsStart(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/lectern.yaml"
	write(t, file, "deployment:\n  typ: cloud\n")
	for name, c := range map[string]struct {
		env  []string
		args []string
		want string
	}{
		"flag":        {nil, []string{"--lissten", "x"}, "lissten"},
		"variable":    {[]string{"LECTERN_LISTN=x"}, nil, "LECTERN_LISTN"},
		"file":        {nil, []string{"--config", file}, "deployment.typ"},
		"value":       {[]string{"LECTERN_DEPLOYMENT_TYPE=moon"}, nil, "deployment.type"},
		"other value": {nil, []string{"--export-link-life", "999h"}, "export.link-life"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(binary,
				append([]string{"serve", "--data", t.TempDir(), "--listen", "127.0.0.1:0"}, c.args...)...)
			cmd.Env = c.env
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), c.want) {
				t.Errorf("err=%v output: %s", err, out)
			}
		})
	}
}
