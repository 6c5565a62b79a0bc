package searchindex_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
)

// ask returns the locations that match a query, as "path" or "path#anchor".
func ask(t *testing.T, x *searchindex.Index, q searchindex.Query) (out []string) {
	t.Helper()
	hits, err := x.Search(context.Background(), q)
	if err != nil {
		t.Fatalf("%q: %v", q.Text, err)
	}
	for _, h := range hits {
		place := h.Path
		if h.Anchor != "" {
			place += "#" + h.Anchor
		}
		out = append(out, place)
	}
	return out
}

func TestQueriesInManyScriptsFindTheirPage(t *testing.T) {
	x := open(t, build(t, mixed()...))
	for question, want := range map[string]string{
		"webhook": "guides/webhooks", "WEBHOOKS": "guides/webhooks", "webh": "guides/webhooks",
		"webhok": "guides/webhooks", "wbehooks": "guides/webhooks", "xebhooks": "guides/webhooks",
		"web hooks": "guides/webhooks", "retries": "guides/webhooks#retries",
		"exponential backoff": "guides/webhooks#retries", "backof": "guides/webhooks#retries",
		"callback":        "guides/webhooks",
		"verifySignature": "guides/webhooks#signature", "verify_signature": "guides/webhooks#signature",
		"verifysignature":  "guides/webhooks#signature",
		"verify signature": "guides/webhooks#signature", "how do I verify the signature?": "guides/webhooks#signature",
		"createUser": "api/create-user", "create_user": "api/create-user", "POST /v1/users": "api/create-user",
		"/v1/users": "api/create-user", "--max-time": "api/create-user",
		"404": "api/errors", "http server": "api/errors", "c++": "api/errors", "C#": "api/errors",
		"guides": "guides/overview", "constructor": "object", "__proto__": "object",
		"検索": "ja/search", "全文検索エンジン": "ja/search", "ガイド": "ja/search", "設": "ja/search", "搜索": "zh/search",
		"中文分词": "zh/search", "词": "zh/search", "检索": "zh/search",
		"설치": "ko/install", "설치하는": "ko/install", "설명": "ko/install", "ติดตั้ง": "th/install",
		"เซิร์ฟเวอร์": "th/install",
		"تثبيت":       "ar/install", "الاعدادات": "ar/install", "الأساسية": "ar/install", "במחשב": "he/install",
		"demarrage": "fr/demarrage", "ÉCOLE": "fr/demarrage", "oeuvre": "fr/demarrage",
		"strasse": "de/strasse", "fußgänger": "de/strasse", "УСТАНОВКА": "ru/ustanovka", "еще": "ru/ustanovka",
		"συστηματος": "el/odigos", "cai dat": "vi/cai-dat", "स्थापना": "hi/sthapana",
	} {
		if got := ask(t, x, searchindex.Query{Text: question}); len(got) == 0 || got[0] != want {
			t.Errorf("%q: %v, want %s first", question, got, want)
		}
	}
	for _, question := range []string{"", "   ", "…", "zzzzqqqq", "\x00\x01"} {
		if got := ask(t, x, searchindex.Query{Text: question}); len(got) != 0 {
			t.Errorf("%q: %v, want nothing", question, got)
		}
	}
}

func TestQueriesFilterByLanguageVersionAndTag(t *testing.T) {
	x := open(t, build(t, mixed()...))
	for _, c := range []struct {
		q    searchindex.Query
		want string
	}{
		{searchindex.Query{Text: "webhooks"}, "guides/webhooks v1/webhooks object"},
		{searchindex.Query{Text: "webhooks called", Version: "v1"}, "v1/webhooks"},
		{searchindex.Query{Text: "webhooks", Version: "v2"}, "guides/webhooks"},
		{searchindex.Query{Text: "webhooks", Tag: "old product", Version: "v1"}, "v1/webhooks"},
		{searchindex.Query{Text: "install", Language: "en"}, "index"},
	} {
		got := ask(t, x, c.q)
		for i, place := range got {
			got[i], _, _ = strings.Cut(place, "#")
		}
		if len(got) == 0 || !strings.HasPrefix(c.want, got[0]) ||
			len(got) > 1 && c.q.Version != "" && got[len(got)-1] != got[0] {
			t.Errorf("%+v: %v, want %s", c.q, got, c.want)
		}
	}
}

// All else being equal, the order is: title, heading, keyword, text, code. An exact title comes before a longer one.
// Boosted pages come before ordinary pages, and ordinary pages before deprecated ones.
func TestRankingOrdersHitsByField(t *testing.T) {
	fill := strings.Repeat("Some other words stand here so that the page has text. ", 4)
	page := func(path, title, text, code string, keywords ...string) searchindex.Page {
		return searchindex.Page{Path: path, Title: title, Keywords: keywords,
			Sections: []pagetext.Section{{Text: fill + text, Code: code}}}
	}
	heading := page("heading", "Second", "", "")
	heading.Sections = append(heading.Sections, pagetext.Section{Level: 2, Anchor: "h", Heading: "Quorum", Text: fill})
	boosted, deprecated := page("boosted", "Seventh", "lantern", ""), page("deprecated", "Eighth", "lantern", "")
	boosted.Boost, deprecated.Deprecated = 3, true
	x := open(t, build(t,
		page("code", "Fifth", "", "quorum()"), page("text", "Fourth", "quorum", ""),
		page("keyword", "Third", "", "", "quorum"), heading, page("title", "Quorum of nodes in a cluster", "", ""),
		page("exact", "Quorum", "", ""), deprecated, page("plain", "Sixth", "lantern", ""), boosted,
		page("phrase", "Ninth", "the blue whale swims", ""),
		page("apart", "Tenth", "blue as the sea in which some whale may be seen to swim, swims", ""),
		page("one", "Eleventh", "blue blue blue", ""),
	))
	for question, want := range map[string]string{
		"quorum": "exact title heading#h keyword text code", "lantern": "boosted plain deprecated",
		"blue whale": "phrase apart one",
	} {
		if got := strings.Join(ask(t, x, searchindex.Query{Text: question}), " "); got != want {
			t.Errorf("%q: %s, want %s", question, got, want)
		}
	}
}

func TestPageYieldsAtMostThreeHits(t *testing.T) {
	var sections []pagetext.Section
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		sections = append(sections,
			pagetext.Section{Level: 2, Anchor: name, Heading: "Kettle " + name, Text: "The kettle boils."})
	}
	x := open(t, build(t, searchindex.Page{Path: "one", Title: "One", Sections: sections},
		searchindex.Page{Path: "two", Title: "Two", Sections: sections[:2]}))
	got := ask(t, x, searchindex.Query{Text: "kettle", Limit: 50})
	if s := strings.Join(got, " "); len(got) != 5 || !strings.HasPrefix(got[0], "one#") ||
		!strings.HasPrefix(got[2], "one#") || !strings.HasPrefix(got[3], "two#") {
		t.Errorf("got %s", s)
	}
	if got := ask(t, x, searchindex.Query{Text: "kettle", Limit: 4}); len(got) != 4 {
		t.Errorf("a limit of 4 gave %v", got)
	}
}

func TestSnippetsShowTheMatchAsPlainText(t *testing.T) {
	long := strings.Repeat("Filler text that says little. ", 20)
	x := open(t, build(t, searchindex.Page{Path: "p", Title: "P",
		Sections: []pagetext.Section{{Text: long + "Set <script> & \"retry budget\" here.\nNext line. " + long,
			Code: "retryBudget = 3"}}}))
	hits, err := x.Search(context.Background(), searchindex.Query{Text: "retry budget"})
	if err != nil || len(hits) != 1 {
		t.Fatal(hits, err)
	}
	s := hits[0].Snippet
	if !strings.Contains(s.Text, `Set <script> & "retry budget" here. Next line.`) || len(s.Text) > 200 ||
		len(s.Marks) < 2 || !strings.HasPrefix(s.Text, "… ") || !strings.HasSuffix(s.Text, " …") {
		t.Errorf("snippet %q %v", s.Text, s.Marks)
	}
	if got := s.Text[s.Marks[0][0]:s.Marks[0][1]]; got != "retry" {
		t.Errorf("first mark is %q", got)
	}
}

// A page on a subject comes before a long page with one section that covers it in more detail, and both engines agree.
// A boost does not outweigh the words: only its square root counts.
func TestPageOnSubjectRanksBeforeSection(t *testing.T) {
	text := func(words string) string { return strings.Repeat("Some other words stand here. ", 6) + words }
	about := searchindex.Page{Path: "guides/sign-in", Title: "Members", Description: "Readers open the site with a ticket.",
		Sections: []pagetext.Section{{Text: text("")}, {Level: 2, Anchor: "a", Heading: "Providers", Text: text("A ticket.")},
			{Level: 2, Anchor: "b", Heading: "Sessions", Text: text("The ticket ends.")}}}
	long := searchindex.Page{Path: "reference/settings", Title: "Settings"}
	boosted := searchindex.Page{Path: "reference/other", Title: "Other", Boost: 3,
		Sections: []pagetext.Section{{Text: text("")}, {Level: 2, Anchor: "c", Heading: "Readers", Text: text("A ticket.")}}}
	for i := range 30 {
		s := pagetext.Section{Level: 2, Anchor: fmt.Sprint("s", i), Heading: fmt.Sprint("Setting ", i), Text: text("")}
		if i == 20 {
			s.Text = "Ticket: ticket or not. A ticket."
		}
		long.Sections = append(long.Sections, s)
	}
	files := build(t, about, boosted, long)
	x := open(t, files)
	if got := ask(t, x, searchindex.Query{Text: "ticket"}); len(got) == 0 || !strings.HasPrefix(got[0], about.Path) {
		t.Errorf("got %v", got)
	}
	compareOne(t, x, newBrowser(t, files), searchindex.Query{Text: "ticket"})
}

// It also counts if words of a query are near each other, in any order. Other forms of irregular verbs and plurals in
// -os are found. Changelogs and outdated pages come after pages on the subject.
func TestWholeQuestionsRankPagesOnSubjectFirst(t *testing.T) {
	page := func(path, title, text string) searchindex.Page {
		return searchindex.Page{Path: path, Title: title, Sections: []pagetext.Section{{Text: text}}}
	}
	fill := strings.Repeat("Some other words stand here so that the page has text. ", 12)
	x := open(t, build(t,
		page("far", "First", "The lantern stands here. "+fill+"A beacon is far away.."),
		page("near", "Second", "A beacon burns beside the old lantern. "+fill),
		page("changelog", "Changelog", "The quorum of voters was added."), page("quorum", "Third", "The quorum of voters is large."),
		page("legacy/harbour", "Harbour master", "Ships ask."), page("harbour", "Harbour master", "Ships ask."),
		page("sent", "Fourth", "Letters are sent at noon."), page("video", "Fifth", "One video is shown."),
		page("pay", "Sixth", "The payment is due."),
	))
	for question, want := range map[string]string{
		"lantern and beacon":   "near far",
		"quorum of voters":     "quorum changelog",
		"harbour master":       "harbour legacy/harbour",
		"who did send letters": "sent",
		"videos":               "video",
		"paid":                 "pay",
	} {
		if got := strings.Join(ask(t, x, searchindex.Query{Text: question}), " "); got != want {
			t.Errorf("%q: %s, want %s", question, got, want)
		}
	}
}

// Adjacent words count in keywords and descriptions just like in running text: a page that contains the query there
// comes before a reference with one line about it.
func TestNearWordsCountInKeywordsAndDescriptions(t *testing.T) {
	filler := strings.Repeat("Something else about the setting of a server. ", 12)
	reference := searchindex.Page{Path: "reference", Title: "Reference", Sections: []pagetext.Section{
		{Level: 2, Anchor: "lantern", Heading: "Lantern", Text: "Carry a lantern beacon. " + filler},
		{Level: 2, Anchor: "other", Heading: "Other", Text: filler}}}
	text := []pagetext.Section{{Text: filler}}
	for name, p := range map[string]searchindex.Page{
		"keywords":    {Path: "guide", Title: "Guide", Keywords: []string{"torch", "lantern beacon"}, Sections: text},
		"description": {Path: "guide", Title: "Guide", Description: "Set a lantern beacon up.", Sections: text},
	} {
		x := open(t, build(t, p, reference))
		if got := ask(t, x, searchindex.Query{Text: "lantern beacon"}); len(got) == 0 || got[0] != "guide" {
			t.Errorf("%s: found %v", name, got)
		}
	}
}

// Keywords on different lines are not adjacent, and long lists are truncated.
func TestKeywordsAreSeparateLines(t *testing.T) {
	words := []string{"torch lantern", "beacon light"}
	for i := range 200 {
		words = append(words, fmt.Sprintf("word %d", i))
	}
	files := build(t, searchindex.Page{Path: "guide", Title: "Guide", Keywords: words})
	for name, data := range files {
		if strings.HasPrefix(name, "d") {
			if !strings.Contains(string(data), `"torch lantern\nbeacon light\nword 0\n`) {
				t.Errorf("%s has no keywords: %.200s", name, data)
			}
			if len(data) > 1000 {
				t.Errorf("%s has %d bytes", name, len(data))
			}
		}
	}
}
