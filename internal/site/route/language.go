package route

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/text/language"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
)

// Languages are those of a site, for readers who come to its first page. A nil one has none to choose from.
type Languages struct {
	list    []capability.Language // the default one first
	matcher language.Matcher
}

// Bounds of what is read: languages of a site, and bytes of a header.
const (
	maxLanguages = 200
	maxAccept    = 1000
)

// LanguageCookie holds the language that the reader chose last; the site's script sets it.
const LanguageCookie = "lectern-language"

// ParseLanguages reads the list that a build wrote (capability.LanguagesFile). It is nil for what is no list of at least two.
func ParseLanguages(data []byte) *Languages {
	l := &Languages{}
	if json.Unmarshal(data, &l.list) != nil || len(l.list) < 2 || len(l.list) > maxLanguages {
		return nil
	}
	tags := make([]language.Tag, len(l.list))
	for i, one := range l.list {
		tag, err := language.Parse(one.Tag)
		if err != nil || one.Page == "" {
			return nil
		}
		tags[i] = tag
	}
	l.matcher = language.NewMatcher(tags)
	return l
}

// Page is the page to which a request for the site's first page is to be sent on; "" = it stays there, in the default
// language. The reader's own choice wins over what the browser says, and so does a link of the site itself. Programs that
// read Markdown, and those that name no language, get the first page.
func (l *Languages) Page(r *http.Request) string {
	if l == nil || PrefersMarkdown(r.Header.Values("Accept")) {
		return ""
	}
	at := 0
	if chosen, ok := l.chosen(r); ok {
		at = chosen
	} else if !fromSite(r) {
		at = l.accepted(strings.Join(r.Header.Values("Accept-Language"), ","))
	}
	if page := l.list[at].Page; at > 0 && page != "index" {
		return page
	}
	return ""
}

// chosen is the language that the reader chose on an earlier page.
func (l *Languages) chosen(r *http.Request) (at int, ok bool) {
	cookie, err := r.Cookie(LanguageCookie)
	if err != nil {
		return 0, false
	}
	for i, one := range l.list {
		if strings.EqualFold(one.Tag, cookie.Value) {
			return i, true
		}
	}
	return 0, false
}

// fromSite tells whether the reader followed a link of the site itself, such as the one to the default language: without the
// script that sets the cookie, this is all that is known of a choice.
func fromSite(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	from, err := url.Parse(r.Header.Get("Referer"))
	return err == nil && from.Host != "" && strings.EqualFold(from.Host, r.Host)
}

// accepted is the language that fits Accept-Language best; the default one when none fits well.
func (l *Languages) accepted(header string) int {
	if header == "" || len(header) > maxAccept {
		return 0
	}
	wanted, _, err := language.ParseAcceptLanguage(header)
	if err != nil || len(wanted) == 0 {
		return 0
	}
	if _, at, fit := l.matcher.Match(wanted...); fit >= language.High {
		return at
	}
	return 0
}

// SetLanguageHeaders tells caches what the answer at the site's first page depends on.
func SetLanguageHeaders(h http.Header) {
	h.Add("Vary", "Accept-Language, Cookie, Referer, Sec-Fetch-Site")
}

// SendToLanguage sends a reader to the first page of their language. to is a finished path. Caches must not keep it: the
// next reader at the same address may read another language.
func SendToLanguage(w http.ResponseWriter, r *http.Request, to string) {
	SetLanguageHeaders(w.Header())
	w.Header().Set("Cache-Control", "private, no-store")
	http.Redirect(w, r, WithQuery(to, r.URL.RawQuery), http.StatusTemporaryRedirect)
}
