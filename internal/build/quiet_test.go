package build

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// C7: a hidden page is reachable at its address but not linked from anywhere; an unsearchable page is in no shard.
func TestHiddenAndUnsearchablePagesAreNotListed(t *testing.T) {
	src := files(map[string]string{
		"docs.json": `{"name": "x", "styling": {"eyebrows": "breadcrumbs"}, "navigation": {"languages": [
 {"language": "en", "tabs": [{"tab": "T", "groups": [{"group": "g", "root": "hide-a", "directory": "card", "pages": ["index", "hide-a", "end"]}, {"group": "h", "hidden": true, "pages": ["hide-b"]}, {"group": "s", "searchable": false, "pages": ["mute-b"]}]}]},
 {"language": "fr", "pages": ["fr/index", "fr/hide-a"]}]}}`,
		"index.mdx": "---\ntitle: Home\nrelated: [hide-a, hide-b, hide-c]\n---\nHello.\n", "end.mdx": "# End\n",
		"fr/index.mdx": "# Debut\n", "fr/hide-a.mdx": "---\ntitle: hidecanary\nhidden: true\n---\nhidecanary\n",
		"hide-a.mdx": "---\ntitle: hidecanary\ndescription: hidecanary\nhidden: true\nkeywords: [hidecanary]\n---\n## hidecanary\n\nhidecanary [end](/end)\n",
		"hide-b.mdx": "---\ntitle: hidecanary\n---\nhidecanary\n",
		"hide-c.mdx": "---\ntitle: hidecanary\nhidden: true\nrss: true\n---\n<Update label=\"hidecanary\">hidecanary</Update>\n",
		"mute-a.mdx": "---\ntitle: mutecanary\nsearchable: false\nkeywords: [mutecanary]\n---\nmutecanary\n",
		"mute-b.mdx": "---\ntitle: mutecanary\n---\nmutecanary\n",
	})
	for _, style := range []link.Style{link.Clean, link.Relative} {
		out, r := build(t, src, Options{Links: style, BaseURL: "https://d.example",
			Offers: capability.Offers{Search: true}, MCP: "https://d.example/mcp"})
		if r.Failed > 0 || out.files["hide-a.html"] == "" || out.files["hide-b.md"] == "" {
			t.Fatalf("%+v", r)
		}
		for name, text := range out.files {
			own := strings.Contains(name, "hide-")
			if !own && (strings.Contains(text, "hidecanary") || strings.Contains(text, "hide-")) {
				at := strings.Index(text, "hide")
				t.Errorf("%s mentions a hidden page: …%s…", name, text[max(0, at-60):min(len(text), at+60)])
			}
			if strings.HasPrefix(name, "_lectern/search") &&
				(strings.Contains(text, "mutecanary") || strings.Contains(text, "mute-")) {
				t.Errorf("%s contains an unsearchable page", name)
			}
		}
	}
}

// A Git LFS pointer is reported, not published silently.
func TestGitLFSPointerIsReported(t *testing.T) {
	_, r := build(t, files(map[string]string{"docs.json": `{"name": "x", "navigation": ["index"]}`,
		"index.mdx":    "Hello.\n",
		"images/a.png": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
		"images/b.svg": "<svg/>"}), Options{})
	if len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != "lfs-pointer" || r.Diagnostics[0].File != "images/a.png" {
		t.Errorf("%v", r.Diagnostics)
	}
}
