package build

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// watchedSite returns a small site with a page in a folder and a code block.
func watchedSite(file string) fs.FS {
	return files(map[string]string{
		"docs.json":        `{"name": "N", "theme": "mint", "colors": {"primary": "#123456"}, "navigation": {"pages": ["index", "guides/index", "guides/start"]}` + file + `}`,
		"index.mdx":        "---\ntitle: Home\n---\n```go\nx := 1\n```\n",
		"guides/index.mdx": "---\ntitle: Guides\n---\nWords.\n",
		"guides/start.mdx": "---\ntitle: Start\n---\nWords.\n",
	})
}

var traces = regexp.MustCompile(`lectern:page|data-count|data-feedback|analytics\.|class="feedback"`)

// Pages of a site with analytics send their path to the server. Pages in a bundle send it to the site that the bundle
// was built from.
func TestPagesLoadAnalyticsWhenEnabled(t *testing.T) {
	for _, c := range []struct {
		name   string
		opt    Options
		tells  string
		script string
	}{
		{"site", Options{Links: link.Clean, Offers: capability.Offers{Analytics: capability.Analytics{On: true}}},
			`data-count="/_lectern/api/event" data-feedback="/_lectern/api/feedback"`, `src="/_lectern/analytics.`},
		{"bundle", Options{Links: link.Relative,
			Offers: capability.Offers{Analytics: capability.Analytics{On: true, To: "https://docs.example/"}}},
			`data-count="https://docs.example/_lectern/api/event" data-feedback="https://docs.example/_lectern/api/feedback"`, `src="../_lectern/analytics.`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, r := build(t, watchedSite(""), c.opt)
			page := out.files["guides/start.html"]
			for _, want := range []string{c.tells, c.script, `<meta name="lectern:page" content="/guides/start">`,
				"Was this page helpful?"} {
				if !strings.Contains(page, want) {
					t.Errorf("no %s (%+v)", want, r.Diagnostics)
				}
			}
			if !strings.Contains(out.files["guides/index.html"], `content="/guides">`) ||
				!strings.Contains(out.files["index.html"], `content="/">`) {
				t.Error("an index page does not have its folder's address")
			}
			inside, _, _ := strings.Cut(page, "</article>")
			if strings.Contains(inside, "helpful") {
				t.Error("the feedback question is inside the article")
			}
			if m := traces.FindString(out.files["404.html"]); m != "" {
				t.Errorf("404.html has %s, so it would be counted as a page view", m)
			}
		})
	}
}

// Without analytics, or without a server that receives events, pages load no analytics script.
func TestPagesLoadNoAnalyticsWithoutServer(t *testing.T) {
	for name, opt := range map[string]Options{
		"off": {Links: link.Clean, Offers: capability.Offers{Search: true}},
		"a bundle that knows no server": {Links: link.Relative,
			Offers: capability.Offers{Analytics: capability.Analytics{On: true}}},
		"off, with an address all along": {Links: link.Relative,
			Offers: capability.Offers{Analytics: capability.Analytics{To: "https://docs.example"}}},
	} {
		opt.Manifest = true
		out, _ := build(t, watchedSite(""), opt)
		for file, text := range out.files {
			if strings.Contains(file, "analytics") || strings.HasSuffix(file, ".html") && traces.MatchString(text) ||
				file == "manifest.json" && strings.Contains(text, "analytics") {
				t.Errorf("%s: %s contains analytics: %s", name, file, traces.FindString(text))
			}
		}
	}
}

// Authors can turn feedback off; page views are still counted.
func TestAuthorsCanDisableFeedback(t *testing.T) {
	out, r := build(t, watchedSite(`, "feedback": {"thumbsRating": false}`),
		Options{Offers: capability.Offers{Analytics: capability.Analytics{On: true}}})
	if page := out.files["index.html"]; strings.Contains(page, "helpful") || !strings.Contains(page, "data-count") ||
		len(r.Diagnostics) > 0 {
		t.Errorf("%v\n%s", r.Diagnostics, page)
	}
}
