package docs_test

import (
	"bytes"
	"os"
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
		t.Error("docs/openapi.yaml is not api/openapi.yaml: run `make reference`")
	}
}
