package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The program embeds the packed scripts. Without this test, it could contain outdated scripts after a change that was
// not packed.
func TestPackedScriptsMatchSources(t *testing.T) {
	p, err := newPacking("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []func() error{p.island, p.prelude} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range p.files {
		got, err := os.ReadFile(filepath.Join(p.root, "web/npm/dist", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from the output for web/island, error %v: run make packs", name, err)
		}
	}
	if len(p.files) != 2 {
		t.Errorf("%d scripts were packed", len(p.files))
	}
}

func TestIconIsRewrittenFromAllowedShapes(t *testing.T) {
	viewBox, inner, err := body(
		"<!-- by someone -->\n<svg class=\"x\" viewBox=\"0 0 24 24\" fill=\"none\">\n  <g opacity=\".5\"><path d=\"M0 0\" /></g>\n  <circle cx=\"1\" cy=\"2\" r=\"3\" />\n</svg>")
	if want := `<g opacity=".5"><path d="M0 0"/></g><circle cx="1" cy="2" r="3"/>`; err != nil ||
		viewBox != "0 0 24 24" || inner != want {
		t.Errorf("got %q %q, error %v, want %q", viewBox, inner, err, want)
	}
	for _, bad := range []string{
		`<svg><script>x</script></svg>`, `<svg><path onload="x"/></svg>`, `<svg><use href="#x"/></svg>`,
		`<svg><path fill="url(#x)"/></svg>`,
		`<svg><path d="&quot;&gt;"/></svg>`, `<svg><path`,
	} {
		if _, inner, err := body(bad); err == nil {
			t.Errorf("%s was accepted as %s", bad, inner)
		}
	}
}

func TestFileBelongsToInnermostPackage(t *testing.T) {
	for file, want := range map[string]string{
		"/r/m/katex/dist/katex.mjs":                         "katex",
		"/r/m/@tabler/icons/icons/a.svg":                    "@tabler/icons",
		"/r/m/d3-sankey/node_modules/d3-array/src/index.js": "d3-sankey/node_modules/d3-array",
		"/r/m/a/node_modules/@b/c/d.js":                     "a/node_modules/@b/c",
		"/r/web/island/index.js":                            "",
	} {
		if got := packageOf("/r/m", file); got != want {
			t.Errorf("%s belongs to %q, want %q", file, got, want)
		}
	}
}

func TestEqualDrawingsAreStoredOnce(t *testing.T) {
	got, err := lines([]icon{{name: "b", body: "<path/>"}, {name: "a", body: "<path/>"}, {name: "c", of: "a"}})
	if want := "a\t\t\t<path/>\nb\t\t=\ta\nc\t\t=\ta\n"; err != nil || got != want {
		t.Errorf("got %q, error %v, want %q", got, err, want)
	}
	if got, err := lines([]icon{{name: "a", of: "gone"}}); err == nil {
		t.Errorf("an alias without a target was packed: %q", got)
	}
}
