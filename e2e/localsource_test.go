package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// checkRefusedFolder fails the test unless the server refuses a new project with that source, without revealing whether
// the source exists.
func (c caller) checkRefusedFolder(name string, source client.SourceInput) {
	c.t.Helper()
	var answer struct{ Code, Error string }
	c.call(http.MethodPost, "/v1/projects",
		client.CreateProject{Name: name, Domain: name + ".localhost", Source: source}, http.StatusBadRequest, &answer)
	if answer.Code != "local_source_off" && answer.Code != "bad_repository_url" {
		c.t.Errorf("%s: %+v", name, answer)
	}
}

// C10: two organizations share a server that listens on loopback behind a public URL, as the Debian package sets it up.
// Neither can publish, read or change a folder that the operator has not allowed for it.
func TestOrganizationUsesOnlyItsListedFolders(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	orgs, roots := organizations(t, nil, data, 2, 1)
	secret := orgs[1].source + "/index.mdx"
	if err := os.Symlink(orgs[1].source, orgs[0].source+"/link"); err != nil {
		t.Fatal(err)
	}
	p := serve(t, data, []string{roots}, "--first-site", "off", "--public-url", "https://lectern.example.com",
		"--trusted-proxies", "127.0.0.1")
	a, b := caller{p, orgs[0].key}, caller{p, orgs[1].key}
	for name, source := range map[string]client.SourceInput{
		"foreign": {Path: orgs[1].source}, "etc": {Path: "/etc"}, "data": {Path: data},
		"dots":  {Path: orgs[0].source + "/../" + filepath.Base(orgs[1].source)},
		"above": {Path: filepath.Dir(orgs[0].source)}, "repository": {Repository: "file://" + orgs[1].source},
		"absolute": {Repository: orgs[1].source},
		"host":     {Repository: "file://localhost" + orgs[1].source},
		"escaped":  {Repository: "file://" + orgs[0].source + "/%2e%2e/" + filepath.Base(orgs[1].source)},
		"short":    {Repository: "file:" + orgs[1].source}, "upper": {Repository: "FILE://" + orgs[1].source},
	} {
		a.checkRefusedFolder(name, source)
	}
	mine := newProject(t, a.client(a.key), orgs[0].source, "a.localhost")
	theirs := newProject(t, b.client(b.key), orgs[1].source, "b.localhost")
	for c, made := range map[caller]*client.Project{a: mine, b: theirs} {
		if _, err := c.client(c.key).WaitUpdate(background(), made.LastUpdate.StatusID, nil); err != nil {
			t.Fatal(err)
		}
	}
	a.call(http.MethodPatch, "/v1/projects/"+mine.ProjectID,
		map[string]any{"source": map[string]string{"path": orgs[1].source}}, http.StatusBadRequest, nil)
	// only opening the link reveals whether it points outside
	linked := newProject(t, a.client(a.key), orgs[0].source+"/link", "link.localhost")
	if _, err := a.client(a.key).WaitUpdate(background(), linked.LastUpdate.StatusID, nil); err == nil {
		t.Error("a link into another organization's folder was followed")
	}
	if code, html := page(t, p, "link.localhost", "/"); code == http.StatusOK && strings.Contains(html, "Welcome") {
		t.Error("another organization's page was published")
	}
	before, err := os.ReadFile(secret)
	if err != nil {
		t.Fatal(err)
	}
	var job client.AgentJob
	jobs := "/v2/agent/" + linked.ProjectID + "/job"
	a.call(http.MethodPost, jobs, map[string]string{"prompt": `replace "Welcome" with "Owned"`}, http.StatusCreated,
		&job)
	if job = a.waitForJob(jobs + "/" + job.ID); job.Status != client.AgentJobStatusFailed || job.PRLink != nil {
		t.Errorf("an agent worked in another organization's folder: %+v", job)
	}
	if now, err := os.ReadFile(secret); err != nil || string(now) != string(before) {
		t.Errorf("the folder of another organization was changed: %s %v", now, err)
	}
}

// C10: once there is a second organization, the first one's folder is not used for publishing, previews, agents and
// merges until the operator allows it. Its live site is still served, and doctor names the project.
func TestSecondOrganizationDisablesUnlistedLocalSources(t *testing.T) {
	t.Parallel()
	dir := typoSite(t)
	c, jobs := startWithProject(t, nil, client.SourceInput{Path: dir})
	job, _ := c.runJob(jobs, `replace "Teh guide" with "The guide"`)
	list, err := c.client(c.key).ListProjects(background(), client.ListProjectsParams{Limit: 10})
	if err != nil || len(list.Projects) != 1 {
		t.Fatalf("%+v %v", list, err)
	}
	projectID, orgs := list.Projects[0].ProjectID, command(t, nil, "org", "list", "--data", c.data, "--json")
	first := strings.Split(strings.SplitN(orgs, `"organizationId":"`, 2)[1], `"`)[0]
	command(t, nil, "org", "create", "Second", "--data", c.data)
	proposal := (*job.PRLink)[strings.LastIndexByte(*job.PRLink, '/')+1:]
	before, err := os.ReadFile(dir + "/guide.mdx")
	if err != nil {
		t.Fatal(err)
	}
	c.call(http.MethodPost, "/v2/agent/"+projectID+"/proposal/"+proposal+"/merge", nil, http.StatusForbidden, nil)
	if now, err := os.ReadFile(dir + "/guide.mdx"); err != nil || string(now) != string(before) {
		t.Errorf("the merge changed the folder: %s %v", now, err)
	}
	var update struct{ StatusID string }
	c.call(http.MethodPost, "/v1/project/update/"+projectID, nil, http.StatusAccepted, &update)
	if ended, err := c.client(c.key).WaitUpdate(background(), update.StatusID, nil); err == nil ||
		ended != nil && !strings.Contains(*ended.Error, "sources.roots") {
		t.Errorf("update: %+v %v", ended, err)
	}
	if code, html := page(t, c.process, "mine.localhost", "/guide"); code != http.StatusOK ||
		!strings.Contains(html, "Teh guide") {
		t.Errorf("the live site: %d %s", code, html)
	}
	if output := command(t, nil, "doctor", "--data", c.data, "--listen", freeAddress(t)); !strings.Contains(output,
		projectID) || !strings.Contains(output, "sources.roots") {
		t.Errorf("doctor: %s", output)
	}
	c.Stop()
	again := caller{serve(t, c.data, []string{"LECTERN_SOURCES_ROOTS=" + first + "=" + dir}, "--first-site", "off",
		"--git-poll-interval", "0"), c.key}
	again.call(http.MethodPost, "/v2/agent/"+projectID+"/proposal/"+proposal+"/merge", nil, http.StatusOK, nil)
	if now, err := os.ReadFile(dir + "/guide.mdx"); err != nil ||
		!strings.Contains(string(now), "The guide is short.") {
		t.Errorf("after the folder was allowed: %s %v", now, err)
	}
}
