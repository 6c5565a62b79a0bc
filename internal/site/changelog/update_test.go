package changelog

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx"
)

func TestUpdatesInCodeAreNotEntries(t *testing.T) {
	page := "```mdx\n<Update label=\"example\">\n</Update>\n```\n\n" + Update("May \"1\"", "{2}", "- Keys") + "\n" + Update("April", "", "- Logs")
	root, list := mdx.ParseWith(mdx.Options{}, "changelog.mdx", []byte(page), 1)
	if len(list) > 0 {
		t.Fatal(list)
	}
	var found []string
	for _, e := range Updates(root) {
		found = append(found, page[e.Open.Start:e.Open.End])
	}
	if len(found) != 2 || found[0] != `<Update label="May 1" description="2">` || found[1] != `<Update label="April">` {
		t.Errorf("found %q in\n%s", found, page)
	}
}
