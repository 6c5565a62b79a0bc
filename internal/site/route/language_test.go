package route

import (
	"net/http/httptest"
	"strings"
	"testing"
)

func TestFirstPageFollowsTheReadersLanguage(t *testing.T) {
	l := ParseLanguages([]byte(
		`[{"language":"en","page":"index"},{"language":"fr","page":"fr/index"},{"language":"zh-Hant","page":"tw/start"},{"language":"pt-BR","page":"pt/a"}]`))
	for name, c := range map[string]struct{ headers, want string }{
		"no header":                        {"", ""},
		"default":                          {"Accept-Language: en-GB,en;q=0.9,fr;q=0.8", ""},
		"other":                            {"Accept-Language: fr-CA,fr;q=0.9,en;q=0.8", "fr/index"},
		"weights":                          {"Accept-Language: en;q=0.2, fr;q=0.9", "fr/index"},
		"second wish":                      {"Accept-Language: ja, fr;q=0.5", "fr/index"},
		"region":                           {"Accept-Language: zh-TW", "tw/start"},
		"another region":                   {"Accept-Language: pt-PT", "pt/a"},
		"refused":                          {"Accept-Language: fr;q=0", ""},
		"unknown":                          {"Accept-Language: ja", ""},
		"anything":                         {"Accept-Language: *", ""},
		"no language":                      {"Accept-Language: !!;;", ""},
		"too long":                         {"Accept-Language: fr," + strings.Repeat("xx,", 400), ""},
		"chosen default":                   {"Accept-Language: fr\nCookie: lectern-language=en", ""},
		"chosen other":                     {"Accept-Language: en\nCookie: lectern-language=FR", "fr/index"},
		"chosen language no longer exists": {"Accept-Language: fr\nCookie: lectern-language=xx", "fr/index"},
		"link of the site":                 {"Accept-Language: fr\nSec-Fetch-Site: same-origin", ""},
		"link of another site": {"Accept-Language: fr\nSec-Fetch-Site: cross-site\nReferer: https://docs.example/a",
			"fr/index"},
		"link of the site, older":  {"Accept-Language: fr\nReferer: https://docs.example/fr/a", ""},
		"link from another, older": {"Accept-Language: fr\nReferer: https://elsewhere.example/", "fr/index"},
		"reads Markdown":           {"Accept-Language: fr\nAccept: text/markdown", ""},
	} {
		r := httptest.NewRequest("GET", "https://docs.example/", nil)
		for line := range strings.SplitSeq(c.headers, "\n") {
			if key, value, ok := strings.Cut(line, ": "); ok {
				r.Header.Add(key, value)
			}
		}
		if got := l.Page(r); got != c.want {
			t.Errorf("%s: sent to %q, want %q", name, got, c.want)
		}
	}
}

func TestUnusableLanguageListIsIgnored(t *testing.T) {
	for _, data := range []string{"", "{}", "[]", `[{"language":"en","page":"index"}]`,
		`[{"language":"en","page":"a"},{"language":"??","page":"b"}]`,
		`[{"language":"en","page":"a"},{"language":"fr"}]`} {
		l := ParseLanguages([]byte(data))
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Language", "fr")
		if l != nil || l.Page(r) != "" {
			t.Errorf("%s was used", data)
		}
	}
}
