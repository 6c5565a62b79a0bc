package analytics

import (
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// Served records programs' requests for a page or its text, and all requests for missing pages. A page's script reports
// the people who read the page. Most calls return right after checking the user agent.
func (b *Beacon) Served(r *http.Request, s siteapi.Site, file string, _ int) {
	if r.Method != http.MethodGet || s.ProjectID == "" || s.Preview {
		return
	}
	reader := b.readers.Find(r.UserAgent())
	switch {
	case reader.Class == "":
	case file == "":
		b.missed(r, s, reader)
	case reader.Class != audience.Human:
		b.read(r, s, file, reader.Read(file))
	case strings.HasSuffix(file, ".md") && r.Header.Get("Sec-Fetch-Dest") == "document":
		b.read(r, s, file, audience.Human) // plain text in a browser, with no script to report the view
	}
}

func (b *Beacon) read(r *http.Request, s siteapi.Site, file string, c audience.Class) {
	if file == "robots.txt" || file == "404.html" || !b.counts(r, s) || !b.within(r) {
		return
	}
	e := b.event(r, s, audience.View)
	e.Class, e.Path = c, audience.FilePath(file)
	agent := "" // not used for programs, which can change it with each request; their class is part of the mark
	if c == audience.Human {
		agent = r.UserAgent()
	}
	e.Visitor = b.Counter.Visitor(s.ProjectID, b.Proxies.Caller(r), agent)
	b.Counter.Record(e)
}

func (b *Beacon) missed(r *http.Request, s siteapi.Site, reader audience.Reader) {
	path := audience.Path(r.URL.Path)
	if path == "" || !audience.Counted(r.URL.Path) || !b.counts(r, s) {
		return
	}
	if r.Header.Get("Sec-Fetch-Dest") == "empty" {
		// A page's script made this request, either to prefetch a link or to load a page in place of the browser. For a
		// missing page, the browser then sends its own request, which is counted.
		return
	}
	if !b.within(r) {
		return
	}
	e := b.event(r, s, audience.Missing)
	e.Class, e.Path = reader.Class, path
	b.Counter.Record(e)
}

// within reports whether further requests from this address are still counted.
func (b *Beacon) within(r *http.Request) bool {
	if b.served.Take(r.Context(), siteapi.CallerKey(b.Proxies.Caller(r)), http.Header{}) == nil {
		return true
	}
	b.Counter.Refuse(1)
	return false
}

func (b *Beacon) event(r *http.Request, s siteapi.Site, k audience.Kind) audience.Event {
	return audience.Event{ProjectID: s.ProjectID, At: b.Now(), Kind: k,
		Referrer: audience.Referrer(r.Referer(), s.Host, host(s.Origin))}
}
