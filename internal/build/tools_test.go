package build

import (
	"maps"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// After Forget, tools build the same site, including files that only some pages need.
func TestToolsReloadAfterForget(t *testing.T) {
	tools, err := NewTools()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tools.Close() }() // Close only frees memory
	src := fstest.MapFS{
		"docs.json": {Data: []byte(`{"name": "Docs", "navigation": {"pages": ["index"]}}`)},
		"index.mdx": {Data: []byte("---\ntitle: Start\nicon: rocket\n---\n\nA formula: $a^2 + b^2 = c^2$.\n\n" +
			"```go\nfunc main() {}\n```\n\n```mermaid\ngraph TD; A-->B\n```\n")},
	}
	opt := Options{Tools: tools, Links: link.Relative, Manifest: true, Cards: true, BaseURL: "https://docs.example.com"}
	first, _ := build(t, src, opt)
	code, icons := tools.code, tools.icons
	if err := tools.Forget(); err != nil {
		t.Fatal(err)
	}
	if tools.code == code || tools.icons == icons {
		t.Error("the tools still hold what they loaded")
	}
	again, _ := build(t, src, opt)
	if !maps.Equal(first.files, again.files) {
		t.Error("the second site differs")
	}
}
