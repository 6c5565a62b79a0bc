package forge

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site"
)

func TestEveryDriverIsComplete(t *testing.T) {
	for _, d := range drivers {
		if d.account == nil {
			t.Errorf("%s: cannot open accounts", d.kind)
		}
		if d.open == nil || (d.api == "") == (d.apiPath == "") {
			t.Errorf("%s: opens hosts: %v, API %q, path of the API %q", d.kind, d.open != nil, d.api, d.apiPath)
		}
		if hasEvents := len(d.events) > 0; hasEvents != (d.parsePush != nil) || hasEvents != (d.parsePull != nil) {
			t.Errorf("%s: headers %v, reads pushes: %v, reads pull requests: %v", d.kind, d.events,
				d.parsePush != nil, d.parsePull != nil)
		}
		if (d.editAt == "") != (d.kind == BitbucketCenter) {
			t.Errorf("%s: address of its editor %q", d.kind, d.editAt)
		}
		if s := d.setup; len(d.events) > 0 && (s.Name == "" || s.Where == "" || s.Set == "") {
			t.Errorf("%s: no instructions for adding a webhook: %+v", d.kind, s)
		}
		for host, api := range d.hosts {
			r := Repository{Scheme: "https", Host: host, Path: "team/docs"}
			if got, err := (Servers{}).Find(r); err != nil || got != (Server{d.kind, api}) {
				t.Errorf("%s is %v, error %v", host, got, err)
			}
		}
	}
}

func TestGuideListsEveryKind(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/guides/code-hosts.mdx")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range kindNames() {
		kind, _ := parseKind(name)
		if driverOf(kind).api == "" && !strings.Contains(string(guide), "`HOST="+name+"`") {
			t.Errorf("docs/guides/code-hosts.mdx does not have `HOST=%s`", name)
		}
	}
}

func TestReadersCanEditSourcesAndOpenIssues(t *testing.T) {
	for name, want := range map[string][2]string{
		"github": {"/edit/HEAD/docs/g%20s/what%3F.mdx",
			"/issues/new?title=Issue%20on%20docs%3A%20A%26B&body=Path%3A%20%2Fa"},
		"forgejo": {"/_edit/HEAD/docs/g%20s/what%3F.mdx",
			"/issues/new?title=Issue%20on%20docs%3A%20A%26B&body=Path%3A%20%2Fa"},
		"gitlab": {"/-/edit/HEAD/docs/g%20s/what%3F.mdx",
			"/-/issues/new?issue%5Btitle%5D=Issue%20on%20docs%3A%20A%26B&issue%5Bdescription%5D=Path%3A%20%2Fa"},
		"bitbucket": {"/src/HEAD/docs/g%20s/what%3F.mdx?mode=edit",
			"/issues/new?title=Issue%20on%20docs%3A%20A%26B"},
		"bitbucket-data-center": {},
	} {
		servers, err := ParseServers([]string{"h.example=" + name})
		if err != nil {
			t.Fatal(err)
		}
		r := servers.Source("https://h.example/a/b.git", "", "docs")
		for i, got := range []string{r.Edit("g s/what?.mdx"), r.Issue("A&B", "/a")} {
			if want[i] != "" {
				want[i] = "https://h.example/a/b" + want[i]
			}
			if got != want[i] {
				t.Errorf("%s: got %q, want %q", name, got, want[i])
			}
		}
	}
	if r := (Servers{}).Source("https://unknown.example/a/b", "", ""); r != (site.Repository{}) {
		t.Errorf("unknown host: %+v", r)
	}
}

func TestGiteaEventsAreNotMistakenForGitHubs(t *testing.T) {
	h := http.Header{}
	h.Set("X-GitHub-Event", "push")
	if d, ok := eventDriver(h); !ok || d.kind != GitHub {
		t.Errorf("got %s, %v", d.kind, ok)
	}
	h.Set("X-Gitea-Event", "push")
	if d, ok := eventDriver(h); !ok || d.kind != Gitea {
		t.Errorf("got %s, %v", d.kind, ok)
	}
}
