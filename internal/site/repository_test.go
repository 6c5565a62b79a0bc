package site

import "testing"

func TestRepositoryURLsOfCodeHosts(t *testing.T) {
	for kind, want := range map[string][2]string{
		"github": {"https://h.example/a/b/edit/HEAD/docs/g%20s/what%3F.mdx",
			"https://h.example/a/b/issues/new?title=Issue%20on%20docs%3A%20A%26B&body=Path%3A%20%2Fa"},
		"gitea": {"https://h.example/a/b/_edit/HEAD/docs/g%20s/what%3F.mdx",
			"https://h.example/a/b/issues/new?title=Issue%20on%20docs%3A%20A%26B&body=Path%3A%20%2Fa"},
		"gitlab": {"https://h.example/a/b/-/edit/HEAD/docs/g%20s/what%3F.mdx",
			"https://h.example/a/b/-/issues/new?issue%5Btitle%5D=Issue%20on%20docs%3A%20A%26B&issue%5Bdescription%5D=Path%3A%20%2Fa"},
		"bitbucket": {"https://h.example/a/b/src/HEAD/docs/g%20s/what%3F.mdx?mode=edit",
			"https://h.example/a/b/issues/new?title=Issue%20on%20docs%3A%20A%26B"},
		"bitbucket-data-center": {},
		"":                      {},
	} {
		r := Repository{Kind: kind, Web: "https://h.example/a/b", Folder: "docs"}
		if got := [2]string{r.Edit("g s/what?.mdx"), r.Issue("A&B", "/a")}; got != want {
			t.Errorf("%s: %q", kind, got)
		}
	}
	if got := (Repository{Kind: "github", Web: "https://h.example/a/b", Branch: "feature/x"}).
		Edit("a.mdx"); got != "https://h.example/a/b/edit/feature/x/a.mdx" {
		t.Error(got)
	}
}
