package e2e

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
)

// C7: a program requests a page as a reader in a group. The request starts building the site for that group. Until that
// is done, the program gets only what readers in no group get, and afterwards the page. Nobody else ever gets it.
func TestViewIsBuiltOnFirstRequest(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	write(t, dir+"/docs.json",
		`{"name":"Pets","theme":"mint","colors":{"primary":"#0055aa"},"navigation":{"pages":["index","alpha","beta"]}}`)
	write(t, dir+"/index.mdx", "---\ntitle: Home\n---\n\nWelcome.\n")
	write(t, dir+"/alpha.mdx", "---\ntitle: Alpha\ngroups: [a]\n---\n\nQuokkas.\n")
	write(t, dir+"/beta.mdx", "---\ntitle: Beta\ngroups: [b]\n---\n\nMarmots.\n")
	p := serve(t, data, nil, "--first-site", "off", "--sources-local", "on")
	c := p.client(command(t, nil, "keys", "create", "--data", data, "--scope", "read,write,discovery"))
	made := newProject(t, c, dir, "pets.localhost")
	if _, err := c.WaitUpdate(background(), made.LastUpdate.StatusID, nil); err != nil {
		t.Fatal(err)
	}
	page := func(path string, groups ...string) bool {
		t.Helper()
		_, err := c.ReadSitePage(background(), "pets.localhost", client.ReadSitePage{Path: path, Groups: groups})
		var refused *client.Error
		if err != nil && (!errors.As(err, &refused) || refused.Status != http.StatusNotFound) {
			t.Fatal(err)
		}
		return err == nil
	}
	if page("alpha", "a") || page("alpha") || !page("index", "a") {
		t.Fatal("an unbuilt view differs from the pages for readers in no group")
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !page("alpha", "a") {
		<-tick.C // the test's time limit ends this loop
	}
	for _, c := range []struct {
		path   string
		groups []string
		want   bool
	}{
		{"alpha", []string{"a"}, true}, {"alpha", []string{"a", "other"}, true}, {"alpha", nil, false},
		{"alpha", []string{"b"}, false}, {"beta", []string{"a"}, false}, {"index", nil, true},
	} {
		if got := page(c.path, c.groups...); got != c.want {
			t.Errorf("%s for %v: %v", c.path, c.groups, got)
		}
	}
	hits, err := c.SearchSite(background(), "pets.localhost", client.SearchSite{Query: "quokkas",
		Filter: client.SearchFilter{Groups: []string{"a"}}})
	if err != nil || len(hits) != 1 || !strings.Contains(hits[0].Content, "Quokkas") {
		t.Errorf("search of the group: %+v, %v", hits, err)
	}
	if hits, err := c.SearchSite(background(), "pets.localhost", client.SearchSite{Query: "quokkas"}); err != nil || len(hits) > 0 {
		t.Errorf("search of readers in no group: %+v, %v", hits, err)
	}
	list, err := c.ListDeployments(background(), made.ProjectID, client.ListDeploymentsParams{})
	if err != nil || list.Deployments[len(list.Deployments)-2].Trigger != "views" {
		t.Errorf("deployments %+v, %v", list, err)
	}
}
