package judges

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const feedOrigin = "https://docs.example.com"

// feedSite has a changelog with content that tends to break feeds: relative links and pictures, code, tables, and
// characters that are special in XML and HTML.
var feedSite = map[string]string{
	"docs.json": `{"name": "Acme & Co", "theme": "mint", "colors": {"primary": "#0F766E"},
		"navigation": {"pages": ["index", "guides/start", "changes/log"]}}`,
	"index.mdx":        "---\ntitle: Home\n---\n\nText.\n",
	"guides/start.mdx": "---\ntitle: Start\n---\n\n## First step\n\nText.\n",
	"images/new.svg":   `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>`,
	"changes/log.mdx": "---\ntitle: Changes\ndescription: What is new in <Acme>.\nrss: true\n---\n\n" +
		"<Update label=\"2026-06-03\" description=\"v2\" tags={[\"API\"]}>\n" +
		"## Search\n\nSee [how to start](../guides/start#first-step), [home](/) and [below](#2026-05-02).\n\n" +
		"![The new form](/images/new.svg)\n\n```go\nif a < b && c {}\n```\n\n| a | b |\n|---|---|\n| 1 | `x|y` |\n\n" +
		"<Note>Mind the *gap* & the \"quotes\".</Note>\n</Update>\n\n" +
		"<Update label=\"2026-05-02\" rss={{ title: \"Fixes & <more>\", description: \"1 < 2\" }}>\n  Größe, 𝒳 and ]]> stay.\n</Update>\n\n" +
		"<Update label=\"2026-05-02\">\n  The same day again.\n</Update>\n",
}

// readFeed is a feed as a feed reader parsed it.
type readFeed struct {
	Problem, Version, Link string
	Self                   []string
	Items                  []struct {
		Title, Link, GUID, Summary, Content string
		Permanent                           bool
		Date                                []int
		Tags                                []string
	}
}

// exportedFeedSite exports the site as a folder.
func exportedFeedSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, filepath.Join(dir, "docs"), feedSite)
	out := filepath.Join(dir, "out")
	cmd := exec.CommandContext(t.Context(), binary, "export", filepath.Join(dir, "docs"), "--out", out, "--base-url",
		feedOrigin)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

func TestFeedReadersSeeWholeEntries(t *testing.T) {
	t.Parallel()
	file := filepath.Join(exportedFeedSite(t), "changes", "log", "rss.xml")
	for judge, cmd := range map[string]*exec.Cmd{
		// Only Debian's own Python has Debian's packages.
		"Debian python3-feedparser": exec.CommandContext(t.Context(), "/usr/bin/python3", "feed.py", file),
		npmVersion(t, "rss-parser"): nodeCommand(t, "feed.mjs", file),
	} {
		t.Run(judge, func(t *testing.T) {
			judged(t, "RSS feed", judge)
			text, err := cmd.Output()
			var got readFeed
			if err == nil {
				err = json.Unmarshal(text, &got)
			}
			if err != nil {
				t.Fatalf("run tools/install-testservers if a program is missing: %v\n%s", err, text)
			}
			checkFeed(t, got)
		})
	}
}

var address = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

func checkFeed(t *testing.T, got readFeed) {
	t.Helper()
	const page = feedOrigin + "/changes/log"
	if got.Problem != "" || got.Version != "rss20" && got.Version != "" || got.Link != page ||
		!slices.Equal(got.Self, []string{page + "/rss.xml"}) {
		t.Errorf("the channel: %+v", got)
	}
	if len(got.Items) != 3 {
		t.Fatalf("%d items", len(got.Items))
	}
	guids := map[string]bool{}
	for _, item := range got.Items {
		if guids[item.GUID] || !strings.HasPrefix(item.Link, page+"#") || len(item.Date) != 3 || item.Date[0] != 2026 {
			t.Errorf("item %+v", item)
		}
		guids[item.GUID] = true
		if item.Permanent && item.GUID != item.Link {
			t.Errorf("%s is marked as a permanent link", item.GUID)
		}
		for _, found := range address.FindAllStringSubmatch(item.Content, -1) {
			if !strings.HasPrefix(found[1], feedOrigin+"/") {
				t.Errorf("%s links to %q in a feed reader", item.Title, found[1])
			}
		}
		if strings.Contains(item.Content, "](") || strings.Contains(item.Content, "class=\"lectern") {
			t.Errorf("%s: %s", item.Title, item.Content)
		}
	}
	first := got.Items[0].Content
	for _, want := range []string{
		`<h2>Search</h2>`, `href="` + feedOrigin + `/guides/start#first-step"`, `src="` + feedOrigin +
			`/images/new.svg"`,
		`href="` + page + `#2026-05-02"`, `if a &lt; b &amp;&amp; c {}`, "<table>", "<em>gap</em>",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("the first entry lacks %s:\n%s", want, first)
		}
	}
	second := got.Items[1]
	if second.Title != "Fixes & <more>" || second.Summary != "1 &lt; 2" ||
		!strings.Contains(second.Content, "Größe, 𝒳 and ]]&gt; stay.") {
		t.Errorf("the second entry: %+v", second)
	}
	if !slices.Equal(got.Items[0].Tags, []string{"API"}) || strings.Contains(got.Items[0].Summary, "](") {
		t.Errorf("the first entry: %+v", got.Items[0])
	}
}

func TestSitemapFollowsProtocol(t *testing.T) {
	t.Parallel()
	judged(t, "sitemap", "xmllint")
	file := filepath.Join(exportedFeedSite(t), "sitemap.xml")
	if text, err := os.ReadFile(file); err != nil || strings.Count(string(text), "<loc>") != 3 {
		t.Fatalf("%v\n%s", err, text)
	}
	out, err := exec.CommandContext(t.Context(), "xmllint", "--nonet", "--noout", "--schema", "sitemap.xsd", file).
		CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
