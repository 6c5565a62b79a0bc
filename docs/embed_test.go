package docs_test

import (
	"bytes"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/docs"
)

// A site has all its files in its folder, and Go embeds none from outside of it, so the description is there twice.
func TestSiteHasTheAPIDescriptionAsItIs(t *testing.T) {
	want, err := os.ReadFile("../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	got, err := docs.Site.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/openapi.yaml is not api/openapi.yaml: run `make types`")
	}
}

// A page outside of the navigation is found by search only.
func TestNavigationListsEveryPage(t *testing.T) {
	raw, err := docs.Site.ReadFile("docs.json")
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(docs.Site, ".", func(name string, _ fs.DirEntry, err error) error {
		page := strings.TrimSuffix(strings.TrimSuffix(name, ".mdx"), ".md")
		if err != nil || page == name || strings.HasPrefix(name, "snippets/") {
			return err
		}
		if !bytes.Contains(raw, []byte(`"`+page+`"`)) {
			t.Errorf("docs.json does not list %s", page)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
