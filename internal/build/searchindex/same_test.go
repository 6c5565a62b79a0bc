package searchindex_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
)

// mixed returns pages of various shapes, in various scripts.
func mixed() []searchindex.Page {
	text := func(s string) []pagetext.Section { return []pagetext.Section{{Text: s}} }
	return []searchindex.Page{
		{Path: "index", Title: "Welcome", Description: "Start here.",
			Sections: text("Welcome to the docs. Install the CLI with one command.")},
		{Path: "guides/overview", Title: "Overview", Sidebar: "All guides", Crumbs: []string{"Guides"},
			Sections: text("What guides there are.")},
		{Path: "guides/webhooks", Title: "Webhooks", Keywords: []string{"callback", "notification"},
			Crumbs: []string{"Guides"}, Version: "v2", Language: "en", Sections: []pagetext.Section{
				{Text: "We call your server when something happens."},
				{Level: 2, Anchor: "retries", Heading: "Retries",
					Text: "A failed webhook is retried with exponential backoff, up to ten times in a day."},
				{Level: 2, Anchor: "signature", Heading: "Verify the signature",
					Text: "Compare the X-Signature header.",
					Code: "const ok = client.webhooks.verifySignature(body, headers)\nif (!ok) return 401"},
			}},
		{Path: "v1/webhooks", Title: "Webhooks", Version: "v1", Language: "en", Tags: []string{"Old product"},
			Deprecated: true, Sections: text("The old way to be called.")},
		{Path: "api/create-user", Title: "Create a user", Keywords: []string{"POST /v1/users"}, Reference: true,
			Sections: []pagetext.Section{{Text: "Creates a user. createUser, create_user and CreateUser are the same.",
				Code: "curl -X POST https://api.example.com/v1/users --max-time 10"}}},
		{Path: "api/errors", Title: "Errors",
			Sections: text(
				"404 is returned when there is nothing. HTTPServer errors are 500. C++ and C# clients throw. URLs, APIs and OAuth stay whole.")},
		{Path: "ja/search", Title: "検索の設定", Language: "ja", Sections: text("全文検索エンジンを設定する方法を説明します。ｶﾞｲﾄﾞを参照してください。")},
		{Path: "zh/search", Title: "搜索设置", Language: "zh", Sections: text("本页介绍如何配置全文检索。索引在构建时生成，支持中文分词。")},
		{Path: "ko/install", Title: "설치 안내", Language: "ko", Sections: text("서버를 설치하는 방법을 설명합니다. 설치를 마친 후 설정을 확인하세요.")},
		{Path: "th/install", Title: "การติดตั้ง", Language: "th",
			Sections: text("วิธีติดตั้งเซิร์ฟเวอร์บนเครื่องของคุณ")},
		{Path: "ar/install", Title: "التثبيت", Language: "ar",
			Sections: text("كيفية تثبيت الخادم على جهازك. الإعدادات الأساسيّة موضحة هنا.")},
		{Path: "he/install", Title: "התקנה", Language: "he", Sections: text("כיצד להתקין את השרת בְּמחשב שלך.")},
		{Path: "fr/demarrage", Title: "Démarrage rapide", Language: "fr",
			Sections: text("Créez un élève à l’école. Œuvre, façade, naïve.")},
		{Path: "de/strasse", Title: "Straße und Größe", Language: "de",
			Sections: text(
				"Übergrößenträger, Maßstab, Fußgängerübergänge. 😀 Emoji 𝒳 𠀀𠀁 zählen doppelt. 😀😀😀😀😀😀😀😀😀😀😀😀 Fußgänger " +
					strings.Repeat("😀 wort ", 60) + "Straße.")},
		{Path: "ru/ustanovka", Title: "Установка", Language: "ru", Boost: 2,
			Sections: text("Как установить сервер. Всё ещё проще.")},
		{Path: "el/odigos", Title: "Οδηγός", Language: "el",
			Sections: text("Οδηγός εγκατάστασης ΣΥΣΤΗΜΑΤΟΣ συστήματος.")},
		{Path: "vi/cai-dat", Title: "Cài đặt", Language: "vi",
			Sections: text("Hướng dẫn cài đặt máy chủ trên máy tính của bạn.")},
		{Path: "hi/sthapana", Title: "स्थापना", Language: "hi", Sections: text("सर्वर स्थापित करने का तरीका।")},
		{Path: "object", Title: "constructor",
			Sections: text("__proto__ hasOwnProperty toString valueOf constructor prototype")},
	}
}

// questions returns the queries for both engines.
func questions() []string {
	return []string{
		"web hook", "create web hooks user", "webhook", "webhooks", "web", "w", "wehbook", "webhok retry",
		"retries backoff", "exponential backoff", "verify signature", "verifySignature",
		"client.webhooks.verifySignature",
		"client.webhooks.ver", "createUser", "create_user", "create-user", "createuser", "create user",
		"POST /v1/users", "/v1/users", "v1", "--max-time", "404", "http server", "HTTPServer",
		"c++", "C#", "urls", "apis", "oauth", "how do i verify the signature", "how to", "the", "what is a user for",
		"guides", "guides overview", "all guides", "overview", "callback", "notfication",
		"検索", "全文検索", "検", "索", "設定方法", "ガイド", "搜索", "检索", "索引", "中文分词", "设置", "설치", "설치하는", "서버", "설정", "ติดตั้ง",
		"เซิร์ฟเวอร์", "การ",
		"تثبيت", "التثبيت", "الاعدادات", "الأساسية", "התקנה", "במחשב", "demarrage", "élève", "eleve", "oeuvre",
		"facade", "strasse", "STRASSE", "größe", "groesse", "fussganger", "masstab",
		"установка", "еще", "ВСЁ", "οδηγος", "συστηματος", "cai dat", "đặt", "स्थापना", "सर्वर", "𠀀𠀁", "𝒳", "😀",
		"emoji wort",
		"", " ", "\t\n", "...", "\"webhook\"", "a b c d e f g h i j k l m n o p q r s t u v w x y z", "__proto__",
		"constructor", "hasOwnProperty", "toString", "prototype",
		".*", "[a-z]+", "(", "\\", "$&", "%", "\x00", "\x00webhook\x01", "\u2028", "<script>alert(1)</script>",
		"webhook<!--", "ＷＥＢＨＯＯＫ", "ﬁle", "İstanbul", "ΐ", "e\u0301le\u0300ve",
		strings.Repeat("webhook ", 1300), strings.Repeat("x", 10_000), strings.Repeat("検索", 3000),
		strings.Repeat("(", 10_000), strings.Repeat("a-", 5000), strings.Repeat("설치", 30), "webhook " +
			strings.Repeat("설치", 3000), "\ud7ff\ufffd", "ab-cd_ef.gh/ij:kl@mn",
	}
}

// Both engines return the same hits in the same order with the same snippets for every query, on pages in many
// scripts.
func TestBrowserAndServerAgreeOnManyScripts(t *testing.T) {
	files := build(t, mixed()...)
	x, b := open(t, files), newBrowser(t, files)
	found := 0
	for _, text := range questions() {
		for _, q := range []searchindex.Query{{Text: text}, {Text: text, Limit: 3, Language: "en", Version: "v2"},
			{Text: text, Tag: "old PRODUCT", Limit: 200}} {
			found += compare(t, x, b, q)
			q.Texts = 1
			compareOne(t, x, b, q)
		}
	}
	if found < 200 {
		t.Errorf("only %d hits were compared", found)
	}
}

// Both engines also agree on a site with many shards, for queries made of its own words: complete, unfinished and
// mistyped. If the names of pages are short, the entry contains all of them. Otherwise, each shard of terms contains
// the names of the pages that have one of its terms in their title.
func TestBrowserAndServerAgreeOnALargeSite(t *testing.T) {
	for _, words := range []int{0, 120} {
		t.Run(fmt.Sprintf("%d words more in each name", words), func(t *testing.T) { agreeOnALargeSite(t, words) })
	}
}

func agreeOnALargeSite(t *testing.T, words int) {
	w := newWriter(1, 4000)
	var pages []searchindex.Page
	for i := range 150 {
		p := w.page(i)
		if i%7 == 0 {
			p.Boost = 0.5 + float64(i%5)
		}
		if words > 0 {
			p.Crumbs = append(p.Crumbs, w.text(words))
		}
		pages = append(pages, p)
	}
	files := build(t, pages...)
	if has := bytes.Contains(files[searchindex.EntryName], []byte(`,"names":[[`)); has != (words == 0) {
		t.Fatalf("the entry has names: %v", has)
	}
	x, b := open(t, files), newBrowser(t, files)
	r := rand.New(rand.NewPCG(9, 9))
	found := 0
	n := questionsOf(120)
	for i := range n {
		words := strings.Fields(w.text(1 + r.IntN(4)))
		last := strings.TrimSuffix(words[len(words)-1], ".")
		switch i % 3 {
		case 0:
			last = last[:1+r.IntN(len(last))]
		case 1:
			at := r.IntN(len(last))
			last = last[:at] + fmt.Sprintf("%c", 'a'+rune(r.IntN(26))) + last[min(at+r.IntN(2), len(last)):]
		}
		words[len(words)-1] = last
		found += compare(t, x, b, searchindex.Query{Text: strings.Join(words, " "), Limit: 1 + r.IntN(20)})
	}
	if found < 4*n {
		t.Errorf("only %d hits were compared", found)
	}
}
