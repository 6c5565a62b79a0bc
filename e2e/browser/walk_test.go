package browser

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/load"
)

// goal is a page that a reader searches for by its title, which no other page has. start is the page where the reader
// begins. It is in the same version and language as the page, because a search is limited to these.
type goal struct{ path, title, start string }

func (s testSite) goal(t *testing.T) goal {
	t.Helper()
	loaded, _, err := load.Load(t.Context(), s.src, load.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	titles := map[string]int{}
	for _, p := range loaded.Site.Pages {
		titles[strings.ToLower(p.Title)]++
	}
	var found goal
	for _, p := range loaded.Site.Pages {
		plain := strings.Trim(p.Title, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ") == ""
		if p.Path != "index" && p.Listed && !p.Hidden && !p.Unsearchable && p.API == nil && p.Details().Mode == "" &&
			plain && titles[strings.ToLower(p.Title)] == 1 && len(p.Title) > len(found.title) {
			found = goal{path: p.Path, title: p.Title}
		}
	}
	if found.title == "" {
		t.Fatal("no page has a unique title")
	}
	part := func(page string) string { first, _, _ := strings.Cut(page, "/"); return first }
	for _, p := range loaded.Site.Pages {
		if p.Listed && p.Details().External == "" && p.Details().Mode == "" && p.Path != found.path &&
			part(p.Path) == part(found.path) {
			found.start = p.Path
			return found
		}
	}
	found.start = "index"
	return found
}
