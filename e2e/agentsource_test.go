package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

// startWithProject starts a server without sites, and creates a project from the source.
func startWithProject(t *testing.T, env []string, source client.SourceInput) (c caller, jobs string) {
	t.Helper()
	data := t.TempDir()
	c = caller{serve(t, data, env, "--first-site", "off", "--git-poll-interval", "0"),
		command(t, nil, "keys", "create", "--data", data)}
	made, err := c.client(c.key).
		CreateProject(background(), client.CreateProject{Name: "Mine", Domain: "mine.localhost", Source: source})
	if err == nil {
		_, err = c.client(c.key).WaitUpdate(background(), made.LastUpdate.StatusID, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c, "/v2/agent/" + made.ProjectID + "/job"
}

// runJob starts a job, waits until it ends, and returns it with its path.
func (c caller) runJob(jobs, prompt string) (job client.AgentJob, path string) {
	c.t.Helper()
	c.call(http.MethodPost, jobs, map[string]string{"prompt": prompt}, http.StatusCreated, &job)
	path = jobs + "/" + job.ID
	return c.waitForCompleted(path), path
}

// If the source is a repository on the server's disk, the branch is pushed into it, and a merge updates main without
// losing commits that people have made since.
func TestProposalIsMergedIntoRepositoryOnDisk(t *testing.T) {
	t.Parallel()
	dir := typoSite(t)
	testgit.Run(t, dir, "init", "-q")
	testgit.Run(t, dir, "add", "-A")
	testgit.Run(t, dir, "commit", "-qm", "first")
	bare := t.TempDir()
	testgit.Run(t, bare, "clone", "-q", "--bare", dir, ".")
	c, jobs := startWithProject(t, nil, client.SourceInput{Repository: "file://" + bare, Branch: "main"})
	job, path := c.runJob(jobs, `replace "Teh guide" with "The guide"`)
	if n := testgit.Run(t, bare, "rev-list", "--count", "main.."+*job.Source.Ref); n != "1" {
		t.Errorf("%s commits on the branch", n)
	}
	write(t, dir+"/index.mdx", "---\ntitle: Home\n---\n\nSomebody was here.\n")
	testgit.Run(t, dir, "commit", "-qam", "meanwhile")
	testgit.Run(t, dir, "push", "-q", bare, "main")
	if code, shown := submitForm(t, c.owner(), *job.PRLink, "merge"); code != http.StatusOK ||
		!strings.Contains(shown, `data-state="merged"`) {
		t.Fatalf("merge: %d\n%s", code, shown)
	}
	if text := testgit.Run(t, bare, "show", "main:guide.mdx"); !strings.Contains(text, "The guide is short.") {
		t.Errorf("main has %s", text)
	}
	if text := testgit.Run(t, bare, "show", "main:index.mdx"); !strings.Contains(text, "Somebody was here.") {
		t.Errorf("main lost somebody's commit: %s", text)
	}
	c.Await("the merged site", func() bool {
		_, html := page(t, c.process, "mine.localhost", "/guide")
		return strings.Contains(html, "The guide is short.")
	})
	c.expectEvents(path, "was merged")
}

// For a project whose source is a folder, a merge that would overwrite a local change to the same file is refused
// with an error on the page, and nothing is written.
func TestMergeDoesNotOverwriteLocalChange(t *testing.T) {
	t.Parallel()
	dir := typoSite(t)
	c, jobs := startWithProject(t, nil, client.SourceInput{Path: dir})
	job, _ := c.runJob(jobs, `replace "Teh guide" with "The guide"`)
	before, err := os.ReadFile(dir + "/guide.mdx")
	if err != nil || !strings.Contains(string(before), "Teh guide") {
		t.Fatalf("the folder was changed before the merge: %s %v", before, err)
	}
	mine := string(before) + "\nMine.\n"
	write(t, dir+"/guide.mdx", mine)
	owner := c.owner()
	code, shown := submitForm(t, owner, *job.PRLink, "merge")
	if code != http.StatusConflict || !strings.Contains(shown, "guide.mdx") ||
		!strings.Contains(shown, `role="alert"`) {
		t.Errorf("merge: %d\n%s", code, shown)
	}
	if now, err := os.ReadFile(dir + "/guide.mdx"); err != nil || string(now) != mine {
		t.Errorf("the folder has %s %v", now, err)
	}
	write(t, dir+"/guide.mdx", string(before))
	if code, _ := submitForm(t, owner, *job.PRLink, "merge"); code != http.StatusOK {
		t.Errorf("merge: %d", code)
	}
	if now, err := os.ReadFile(dir + "/guide.mdx"); err != nil ||
		!strings.Contains(string(now), "The guide is short.") {
		t.Errorf("the folder has %s %v", now, err)
	}
}

// J8: a job whose model does not respond is stopped when it is archived; nothing is pushed, and nothing is left behind.
func TestArchivingAnActiveJobStopsIt(t *testing.T) {
	t.Parallel()
	model := llmtest.Start(t, llmtest.Options{Dialect: llmtest.Anthropic,
		Script: llmtest.Script{llmtest.Say("Never.").After(llmtest.Silent, llmtest.Silent)}})
	env := []string{"LECTERN_AGENT_ANTHROPIC_URL=" + model.URL, "LECTERN_AGENT_ANTHROPIC_KEY=" + model.Key,
		"LECTERN_AGENT_MODELS=anthropic:" + model.Model}
	c, jobs := startWithProject(t, env, client.SourceInput{Path: typoSite(t)})
	var job client.AgentJob
	c.call(http.MethodPost, jobs, map[string]string{"prompt": "fix the typo"}, http.StatusCreated, &job)
	c.Await("the model's turn", func() bool { return model.Tries(0) > 0 })
	archive(c, jobs+"/"+job.ID)
	c.Await("the task's end", func() bool { return countLogLines(c.process, job.ID, `"msg":"task stopped"`) > 0 })
	c.Stop()
	if left := files(t, c.data+"/work"); len(left) > 1 { // the folder's lock file remains
		t.Errorf("left behind: %v", left)
	}
}

// G2: a program in the sandbox finds no secret in its environment, in the environment or arguments of other processes,
// or in any file that it can read. It reverses what it finds, so that the redaction of the job's record cannot hide a
// leak. A variable that the operator passes to the program shows that the search works.
func TestSandboxedProgramFindsNoSecrets(t *testing.T) {
	t.Parallel()
	const given = "given-to-the-program"
	secrets := []string{"canary-of-the-server", "canary-of-the-operator", "canary-of-the-organization"}
	const program = `( env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline; ps ax; grep -rhaoE "(canary-of-the|given-to-the)-[a-z]+" / --exclude-dir=proc --exclude-dir=sys --exclude-dir=usr ) 2>/dev/null |
		tr -c "a-z-" "\n" | grep -E "^(canary|given)" | sort -u | rev; sed -i s/Teh/The/ guide.mdx; echo searched`
	file := t.TempDir() + "/program.sh"
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil { // the sandbox runs as another user
		t.Fatal(err)
	}
	env := []string{"LECTERN_AGENT_MODELS=command", "LECTERN_AGENT_COMMAND=/bin/sh," + file,
		"LECTERN_AGENT_COMMAND_FOLDERS=" + filepath.Dir(file), "LECTERN_AGENT_COMMAND_ENV=GIVEN",
		"GIVEN=" + given, "LECTERN_CREDENTIAL_OTHER=https://bot:" + secrets[1] + "@git.example.com",
		"LECTERN_SECRET_KEY=" + secrets[0] + "-in-its-settings"}
	data := t.TempDir()
	c := caller{serve(t, data, env, "--first-site", "off"),
		command(t, env, "keys", "create", "--data", data, "--scope", "read,write,admin")}
	_, err := c.client(c.key).CreateCredential(background(),
		client.CreateCredential{Name: "docs", Kind: "token", URL: "https://git.example.com", Secret: secrets[2]})
	if err != nil {
		t.Fatal(err)
	}
	publishFolder(t, c.client(c.key), typoSite(t), "mine.localhost")
	list, err := c.client(c.key).ListProjects(background(), client.ListProjectsParams{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, path := c.runJob("/v2/agent/"+list.Projects[0].ProjectID+"/job", "fix the typo")
	all := strings.Join(c.events(path), "\n")
	if !strings.Contains(all, "searched") || !strings.Contains(all, reverse(given)) {
		t.Fatalf("the search did not find what is there:\n%s", all)
	}
	for _, secret := range secrets {
		if strings.Contains(all, reverse(secret)) || strings.Contains(all, secret) {
			t.Errorf("the program found %s:\n%s", secret, all)
		}
	}
}

func reverse(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// G1, G2: an operator's program runs in a copy of the docs folder, finds none of the server's secrets, and its changes
// are proposed.
func TestOperatorProgramProposesChanges(t *testing.T) {
	t.Parallel()
	const canary = "canary-in-the-environment"
	const program = "sed -i s/Teh/The/ guide.mdx && env && cat /proc/[0-9]*/environ; echo done: $(cat)"
	env := []string{"LECTERN_AGENT_MODELS=command", "LECTERN_AGENT_COMMAND=/bin/sh,-c," + program,
		"LECTERN_CREDENTIAL_OTHER=https://bot:" + canary + "@git.example.com", "LECTERN_SECRET_KEY=" + canary + canary}
	data := t.TempDir()
	c := caller{serve(t, data, env, "--first-site", "off"), command(t, env, "keys", "create", "--data", data)}
	publishFolder(t, c.client(c.key), typoSite(t), "mine.localhost")
	list, err := c.client(c.key).ListProjects(background(), client.ListProjectsParams{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	job, path := c.runJob("/v2/agent/"+list.Projects[0].ProjectID+"/job", "fix the typo")
	code, shown := openPage(t, c.owner(), *job.PRLink)
	if code != http.StatusOK || !strings.Contains(shown, "<ins><mark>The</mark> guide is short.</ins>") {
		t.Errorf("the proposal's page: %d\n%s", code, shown)
	}
	if all := strings.Join(c.events(path), "\n"); strings.Contains(all, canary) || !strings.Contains(all, "done: ") ||
		job.Model != "command" {
		t.Errorf("%+v\n%s", job, all)
	}
}
