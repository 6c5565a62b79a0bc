package site

import "testing"

func TestRepositoryURLs(t *testing.T) {
	r := Repository{Web: "https://h.example/a/b", Folder: "docs", EditAt: "/edit{file}?mode=edit",
		IssueAt: "/new?a={title}&b={text}"}
	if got, want := r.Edit("g s/what?.mdx"), "https://h.example/a/b/edit/HEAD/docs/g%20s/what%3F.mdx?mode=edit"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := r.Issue("{text} A&B", "/a"),
		"https://h.example/a/b/new?a=Issue%20on%20docs%3A%20%7Btext%7D%20A%26B&b=Path%3A%20%2Fa"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	r.Branch, r.Folder = "feature/x", ""
	if got, want := r.Edit("a.mdx"), "https://h.example/a/b/edit/feature/x/a.mdx?mode=edit"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if r := (Repository{Web: "https://h.example/a/b"}); r.Edit("a.mdx") != "" || r.Issue("A", "/a") != "" {
		t.Error("URLs without a form")
	}
}
