package build

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/link"
)

func bannered(content string) map[string]string {
	return map[string]string{
		"docs.json": `{"name": "B", "theme": "mint", "colors": {"primary": "#123456"}, "navigation": {"pages": ["index", "a/deep"]},
			"banner": {"content": "` + content + `", "dismissible": true}}`,
		"index.mdx":  "---\ntitle: I\n---\ntext\n",
		"a/deep.mdx": "---\ntitle: D\n---\ntext\n",
	}
}

func TestBannerLinksAreRelativeToEachPage(t *testing.T) {
	out, report := build(t, files(bannered("Read [more](/a/deep) **now**")), Options{Links: link.Relative})
	if len(report.Diagnostics) > 0 {
		t.Errorf("findings: %v", report.Diagnostics)
	}
	for file, want := range map[string]string{"index.html": `<a href="a/deep.html">more</a> <strong>now</strong>`,
		"a/deep.html": `<a href="deep.html">more</a> <strong>now</strong>`} {
		if html := out.files[file]; !strings.Contains(html, want) {
			t.Errorf("%s lacks %s", file, want)
		}
	}
}

func TestOversizedBannerIsOmittedAndReported(t *testing.T) {
	out, report := build(t, files(bannered(strings.Repeat("long ", 1000))), Options{})
	if strings.Contains(out.files["index.html"], "site-banner") || len(report.Diagnostics) != 1 ||
		report.Diagnostics[0].Code != "banner-too-long" {
		t.Errorf("findings: %v", report.Diagnostics)
	}
}

// Servers return 404.html for any address, so its links start at the root of the host.
func TestNotFoundPageLoadsItsFilesAtAnyDepth(t *testing.T) {
	for base, want := range map[string]string{"https://d.example.com": ` data-base="/">`,
		"https://d.example.com/docs/": ` data-base="/docs/">`, "": `.css">`} {
		out, _ := build(t, files(bannered("x")), Options{Links: link.Relative, BaseURL: base})
		html := out.files["404.html"]
		_, mark, _ := strings.Cut(html, `data-mark="`)
		mark, _, _ = strings.Cut(mark, `"`)
		if _, ok := out.files[mark]; !ok || !strings.Contains(html, `<script data-mark="`+mark+`"`) ||
			!strings.Contains(html, want) {
			t.Errorf("base %q: mark %q in %s", base, mark, html)
		}
		for _, ref := range hrefs(html) {
			// all references are relative to the root
			if _, ok := out.files[ref]; !ok && !strings.Contains(ref, ":") && !strings.HasPrefix(ref, "#") {
				t.Errorf("base %q: 404.html refers to %s", base, ref)
			}
		}
		if home := `<a href="` + strings.TrimRight(base, "/") + `/">`; strings.Contains(html, home) != (base != "") {
			t.Errorf("base %q: %s", base, html)
		}
	}
}
