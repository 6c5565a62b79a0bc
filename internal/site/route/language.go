package route

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/text/language"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
)

// Languages holds the languages of a site. They are used for requests for its first page. A nil Languages never selects
// a language.
type Languages struct {
	list    []capability.Language // the default language first
	matcher language.Matcher
}

// The maximum number of languages on a site, and the maximum size of a header in bytes.
const (
	maxLanguages = 200
	maxAccept    = 1000
)

// LanguageCookie is the cookie with the language that the reader last chose. The site's script sets it.
const LanguageCookie = "lectern-language"

// ParseLanguages parses the list that a build wrote (capability.LanguagesFile). It returns nil if the list is invalid
// or has fewer than two languages.
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

// Page returns the page to which a request for the site's first page is redirected, or "" if there is no redirect
// because the reader gets the default language. The reader's own choice takes precedence over the browser's setting,
// and so does following a link on the site itself. Programs that read Markdown or send no language get the first page.
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

// chosen returns the language that the reader chose on an earlier page.
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

// fromSite reports whether the reader followed a link on the site itself, such as the link to the default language. If
// the script that sets the cookie does not run, this is the only evidence of a choice.
func fromSite(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	from, err := url.Parse(r.Header.Get("Referer"))
	return err == nil && from.Host != "" && strings.EqualFold(from.Host, r.Host)
}

// accepted returns the best match for Accept-Language, or the default language if there is no good match.
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

// SetLanguageHeaders sets Vary for responses to requests for the site's first page.
func SetLanguageHeaders(h http.Header) {
	h.Add("Vary", "Accept-Language, Cookie, Referer, Sec-Fetch-Site")
}

// SendToLanguage redirects a reader to the first page in their language. to is an escaped path. Caches must not
// store the response, because the next reader at the same URL may prefer another language.
func SendToLanguage(w http.ResponseWriter, r *http.Request, to string) {
	SetLanguageHeaders(w.Header())
	w.Header().Set("Cache-Control", "private, no-store")
	http.Redirect(w, r, WithQuery(to, r.URL.RawQuery), http.StatusTemporaryRedirect)
}
