package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// gitWith runs the real git with key as the password, or without a password if key is empty.
func gitWith(t *testing.T, key string, args ...string) (string, error) {
	t.Helper()
	home := t.TempDir()
	ask := filepath.Join(home, "ask")
	write(t, ask, "#!/bin/sh\nprintf '%s' \"$KEY\"\n")
	if err := os.Chmod(ask, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"LC_ALL=C", "KEY=" + key}
	if key != "" {
		cmd.Env = append(cmd.Env, "GIT_ASKPASS="+ask)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// A source folder does not have to be a repository: the server's copy of it can be cloned and has the agent's branch.
func TestFolderOfAgentJobCanBeCloned(t *testing.T) {
	t.Parallel()
	data, src := t.TempDir(), site(t, 2)
	p := serve(t, data, nil, "--first-site", "off", "--sources-local", "on")
	key := command(t, nil, "keys", "create", "--data", data)
	c := p.client(key)
	publishFolder(t, c, src, "folder.localhost")
	projects, err := c.ListProjects(background(), client.ListProjectsParams{})
	if err != nil || len(projects.Projects) != 1 {
		t.Fatalf("%+v %v", projects, err)
	}
	projectID := projects.Projects[0].ProjectID
	job, err := c.CreateAgentJob(background(), projectID, client.CreateAgentJob{Prompt: "add descriptions"})
	if err != nil || !strings.HasPrefix(job.Source.Repository, p.url+"/git/org_") ||
		!strings.HasSuffix(job.Source.Repository, "/"+projectID+".git") {
		t.Fatalf("%+v %v", job, err)
	}
	if job, err = c.WaitAgentJob(background(), projectID, job.ID, nil); err != nil || job.Source.Ref == nil {
		t.Fatalf("%+v %v", job, err)
	}
	to := filepath.Join(t.TempDir(), "clone")
	if out, err := gitWith(t, key, "clone", "--branch", *job.Source.Ref, job.Source.Repository, to); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(to, "docs.json")); err != nil {
		t.Error(err)
	}
}
