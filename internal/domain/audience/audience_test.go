package audience_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
)

func TestReaderClassFollowsUserAgent(t *testing.T) {
	const page, text = "guides/start.html", "guides/start.md"
	for agent, want := range map[string][2]audience.Class{ // class for a page, and for its text
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36":                                        {audience.Human, audience.Human},
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0":                                                                 {audience.Human, audience.Human},
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot":                                            {audience.Agent, audience.Agent},
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)":                                     {audience.Agent, audience.Agent},
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.1; +https://openai.com/gptbot)":                                               {audience.Trainer, audience.Trainer},
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)":                                              {audience.Trainer, audience.Trainer},
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)":                                          {audience.Agent, audience.Agent},
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)":                              {audience.Agent, audience.Agent},
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)":                                  {audience.Agent, audience.Agent},
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)":                                                                             {audience.Indexer, audience.Indexer},
		"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)":                                                                              {audience.Indexer, audience.Indexer},
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1)":               {audience.Indexer, audience.Indexer},
		"Mozilla/5.0 (compatible; Applebot-Extended/0.1)":                                                                                                      {audience.Trainer, audience.Trainer},
		"CCBot/2.0 (https://commoncrawl.org/faq/)":                                                                                                             {audience.Trainer, audience.Trainer},
		"Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)": {audience.Trainer, audience.Trainer},
		"meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)":                                                            {audience.Trainer, audience.Trainer},
		"curl/8.5.0":                 {audience.OtherBot, audience.Agent},
		"python-requests/2.32":       {audience.OtherBot, audience.Agent},
		"axios/1.8.4":                {audience.OtherBot, audience.Agent},
		"node":                       {audience.OtherBot, audience.Agent},
		"":                           {audience.OtherBot, audience.Agent},
		"kube-probe/1.30":            {"", ""},
		"Slackbot-LinkExpanding 1.0": {"", ""},
		"Mozilla/5.0 (compatible; SomethingNew-Bot/1.0; +https://example.com)": {audience.OtherBot, audience.Agent},
	} {
		c := audience.NewClassifier()
		for range 2 { // the second time from the cache
			r := c.Find(agent)
			if got := [2]audience.Class{r.Read(page), r.Read(text)}; r.Class != "" && got != want ||
				r.Class != want[0] {
				t.Errorf("%s: %q, want %q", agent, got, want)
			}
		}
	}
}

// The cache of User-Agents is bounded, no matter what clients send.
func TestClassifierMemoryIsBounded(t *testing.T) {
	c := audience.NewClassifier()
	for i := range 20_000 {
		if got := c.Find(fmt.Sprint(strings.Repeat("x", 600), i)); got.Class != audience.OtherBot {
			t.Fatal(got)
		}
	}
}

func TestUntrustedTextIsBoundedAndNormalized(t *testing.T) {
	for raw, want := range map[string]string{
		"/": "/", "/index": "/", "/index.html": "/", "/guides/": "/guides", "/guides/index.html": "/guides",
		"/a.html?x=1#y": "/a", "/a.md": "/a", "//a//b": "/a/b", "/a/../b": "/b",
		"": "", "a": "", "/a\x00b": "", "/a\\b": "", "/\xff": "", "/a\nb": "", "/llms.txt": "/llms.txt",
		"/v1.2": "/v1.2",
	} {
		if got := audience.Path(raw); got != want {
			t.Errorf("path %q: %q, want %q", raw, got, want)
		}
	}
	if got := audience.Path("/" + strings.Repeat("é", 400)); len(got) > audience.MaxPath ||
		!strings.HasSuffix(got, "é") {
		t.Errorf("%q", got)
	}
	for raw, want := range map[string]string{"  How  TO\tinstall\n": "how to install", "a\x00b": "a b", "\xff": "",
		strings.Repeat("é", 100): strings.Repeat("é", 60)} {
		if got := audience.Query(raw); got != want {
			t.Errorf("query %q: %q", raw, got)
		}
	}
	for raw, want := range map[string]string{
		"https://News.example.com:8443/path?secret=1#x": "news.example.com", "news.example.com": "news.example.com",
		"https://docs.example.com/a": "", "javascript:alert(1)": "", "https://user:pw@h.example/": "h.example",
		"": "", "https://": "", "https://a b/": "", "https://<script>/": "",
	} {
		if got := audience.Referrer(raw, "docs.example.com"); got != want {
			t.Errorf("referrer %q: %q, want %q", raw, got, want)
		}
	}
	for path, want := range map[string]bool{"/a": true, "/a.html": true, "/v1.2": true, "/wp-login.php": false,
		"/.env": false, "/a.png": false, "/_lectern/x": false, "/.well-known/x": false, "/llms.txt": true} {
		if got := audience.Counted(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// A visitor's number depends on the network and not on the full address, and is meaningless without the day's salt.
func TestVisitorHashChangesEveryDay(t *testing.T) {
	number := func(salt, site, address, agent string) [8]byte {
		return audience.Visitor([]byte(salt), site, netip.MustParseAddr(address), agent)
	}
	base := number("monday", "prj_a", "203.0.113.7", "x")
	for name, other := range map[string][8]byte{"same network": number("monday", "prj_a", "203.0.113.99", "x"),
		"mapped": number("monday", "prj_a", "::ffff:203.0.113.7", "x")} {
		if other != base {
			t.Errorf("%s differs", name)
		}
	}
	for name, other := range map[string][8]byte{"day": number("tuesday", "prj_a", "203.0.113.7", "x"),
		"site": number("monday", "prj_b", "203.0.113.7", "x"), "network": number("monday", "prj_a", "203.0.114.7", "x"),
		"agent": number("monday", "prj_a", "203.0.113.7", "y")} {
		if other == base {
			t.Errorf("another %s has the same number", name)
		}
	}
	if number("", "prj_a", "203.0.113.7", "x") != [8]byte{} ||
		audience.Network(netip.MustParseAddr("2001:db8:1:2::3")) != "2001:db8:1::/48" {
		t.Error("without a salt, or IPv6")
	}
}

func TestDaysAreInUTC(t *testing.T) {
	for at, want := range map[string]string{"2026-03-01T23:59:59Z": "2026-03-01",
		"2026-03-02T00:30:00+01:00": "2026-03-01", "1969-12-31T23:00:00Z": "1969-12-31"} {
		when, err := time.Parse(time.RFC3339, at)
		if err != nil || audience.DayOf(when).String() != want {
			t.Errorf("%s: %s", at, audience.DayOf(when))
		}
	}
}

func TestFeedbackSourceFollowsItsFields(t *testing.T) {
	yes := true
	for _, c := range []struct {
		in     audience.Feedback
		source audience.FeedbackSource
		ok     bool
	}{
		{audience.Feedback{Path: "/a", Helpful: &yes}, audience.ByThumb, true},
		{audience.Feedback{Path: "/a", Comment: " words "}, audience.ByComment, true},
		{audience.Feedback{Path: "/a", Comment: "words", Code: "x()"}, audience.ByCode, true},
		{audience.Feedback{Path: "/a", Comment: " \n"}, audience.ByThumb, false},
		{audience.Feedback{Path: "a", Helpful: &yes}, audience.ByThumb, false},
	} {
		if got, ok := c.in.Clean(); ok != c.ok || got.Source != c.source {
			t.Errorf("%+v: %+v %v", c.in, got, ok)
		}
	}
	long, _ := audience.Feedback{Path: "/a", Comment: strings.Repeat("é", 3000), Code: strings.Repeat("x", 9000),
		Contact: "not an address"}.Clean()
	if len(long.Comment) > audience.MaxComment || len(long.Code) != audience.MaxCode || long.Contact != "" {
		t.Errorf("%d %d %q", len(long.Comment), len(long.Code), long.Contact)
	}
}

// One site cannot use up the capacity that is left for others. Events that already have a count are still counted.
func TestSiteCannotExceedItsShareOfBatch(t *testing.T) {
	b := audience.NewBatch(400, nil)
	view := func(project, path string) bool {
		return b.Add(audience.Event{ProjectID: project, Kind: audience.View, Class: audience.Human, Path: path,
			Visitor: [8]byte{1}})
	}
	refused := 0
	for i := range 1000 {
		if !view("loud", fmt.Sprint("/", i)) {
			refused++
		}
	}
	if refused < 900 || refused == 1000 || !view("loud", "/0") || view("loud", "/new") || !b.Enough("loud") ||
		b.Enough("calm") {
		t.Errorf("%d refused, %d keys", refused, b.Keys())
	}
	if !view("calm", "/0") ||
		b.Places[audience.Place{ProjectID: "loud", Day: audience.DayOf(time.Time{})}].Pages["/0"][0] != 2 {
		t.Error("another site has no room, or an already counted page is no longer counted")
	}
}
