package build_test

import (
	"context"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
)

// Pages are found by synonyms of their words: the built-in ones and those of the site's author.
func TestSearchFindsSynonyms(t *testing.T) {
	page := func(text string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("---\ntitle: " + text + "\n---\n\nSome text about it.\n")}
	}
	src := fstest.MapFS{
		"docs.json": {Data: []byte(`{"name":"S","theme":"mint","colors":{"primary":"#123456"},
			"search":{"synonyms":[["seat","licence key"],["gantry","crane"]]},
			"navigation":{"pages":["index","seats","crane","signin","single","remove","rollback"]}}`)},
		"index.mdx":    page("Home"),
		"seats.mdx":    page("Add seats"),
		"crane.mdx":    page("The crane"),
		"signin.mdx":   page("Sign in to the dashboard"),
		"single.mdx":   page("Use single sign-on"),
		"remove.mdx":   page("Remove a member"),
		"rollback.mdx": page("Roll back a release"),
	}
	files := shelf{}
	if _, err := build.Build(context.Background(), src, build.Options{Offers: capability.Offers{Search: true}},
		files); err != nil {
		t.Fatal(err)
	}
	x := openSearch(t, files)
	for question, want := range map[string]string{
		"licence key": "seats", "gantry": "crane", "gantries": "crane", "login": "signin", "how do I log in": "signin",
		"sso": "single", "delete member": "remove", "deleting a member": "remove", "rollback": "rollback",
	} {
		if got := places(t, x, searchindex.Query{Text: question}); !slices.Contains(got[:min(1, len(got))], want) {
			t.Errorf("%q finds %v, want %s", question, got, want)
		}
	}
}
