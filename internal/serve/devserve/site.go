package devserve

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// patience is how long a request waits for the first pass, which generates the files that depend on every page.
const patience = time.Minute

// site serves the site itself, as the site's server will.
func (s *Server) site(w http.ResponseWriter, r *http.Request) {
	route.SetHeaders(w.Header())
	siteapi.SetOffers(w.Header(), s.opt.Endpoints)
	route.SetPolicy(w.Header(), csp.Page{Allow: s.sources(r.Context())}.Policy())
	w.Header().Set("Cache-Control", "no-store")
	if s.program(w, r) {
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		plain(w, http.StatusMethodNotAllowed, "Pages only support GET and HEAD.")
		return
	}
	if r.URL.Path == "/" && s.language(w, r) {
		return
	}
	rev := s.hub.rev() // before rendering, so that changes made meanwhile are announced again
	a := s.resolve(r.Context(), r.URL.Path)
	if a.Location != "" {
		code := http.StatusTemporaryRedirect
		if a.Permanent {
			code = http.StatusPermanentRedirect
		}
		http.Redirect(w, r, route.WithQuery(a.Location, r.URL.RawQuery), code)
		return
	}
	name, status := a.File, http.StatusOK
	if name == "" {
		name, status = "404.html", http.StatusNotFound
	} else if twin, ok := route.Twin(name, s.has); ok && route.PrefersMarkdown(r.Header.Values("Accept")) {
		name = twin
		w.Header().Set("Content-Location", route.FilePath(name))
		w.Header().Add("Vary", "Accept")
	}
	route.SetPageHeaders(w.Header(), name, "", s.has)
	f, ok, err := s.find(r.Context(), name)
	switch {
	case r.Context().Err() != nil: // the browser disconnected
	case err != nil:
		plain(w, http.StatusInternalServerError, "The page could not be rendered: "+err.Error())
	case !ok && s.live.Pages() == 0:
		s.send(w, r, output.File{ContentType: output.ContentType("x.html"), Data: s.emptyPage()}, http.StatusNotFound,
			rev)
	case !ok:
		plain(w, http.StatusNotFound, "Page not found.")
	default:
		s.send(w, r, f, status, rev)
	}
}

// sources returns what pages may use on other hosts, as on the site's server.
func (s *Server) sources(ctx context.Context) csp.Allow {
	f, ok, err := s.find(ctx, capability.SourcesFile)
	if err != nil || !ok {
		return nil
	}
	data, err := f.Bytes()
	if err != nil {
		return nil
	}
	return csp.Decode(data)
}

// language redirects from the site's first page to the reader's language, as the site's server does.
func (s *Server) language(w http.ResponseWriter, r *http.Request) (sent bool) {
	f, ok := s.made(capability.LanguagesFile)
	if !ok {
		return false
	}
	data, err := f.Bytes()
	if err != nil {
		return false
	}
	languages := route.ParseLanguages(data)
	if page := languages.Page(r); page != "" && s.has(link.File(page)) {
		route.SendToLanguage(w, r, route.Clean(page))
		return true
	}
	route.SetLanguageHeaders(w.Header())
	return false
}

// resolve finds the target of a path. A name with an extension may be a file that depends on every page, so resolve
// waits for the pass.
func (s *Server) resolve(ctx context.Context, urlPath string) route.Resolution {
	a := route.Resolve(urlPath, s.has, s.live.Redirects())
	if a != (route.Resolution{}) || path.Ext(urlPath) == "" || s.live.Pages() == 0 {
		return a
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-s.passed:
	case <-ctx.Done():
	}
	return route.Resolve(urlPath, s.has, s.live.Redirects())
}

func (s *Server) has(name string) bool {
	if s.live.Has(name) {
		return true
	}
	_, ok := s.made(name)
	return ok
}

// made returns a file from the last pass. Files with a content hash in their name stay available for one more pass.
func (s *Server) made(name string) (output.File, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok := s.whole[name]
	if !ok {
		f, ok = s.older[name]
		ok = ok && f.Immutable
	}
	return f, ok
}

func (s *Server) find(ctx context.Context, name string) (output.File, bool, error) {
	f, ok, err := s.live.Find(ctx, name)
	if ok || err != nil {
		return f, ok, err
	}
	f, ok = s.made(name)
	return f, ok, nil
}

// send writes a file, and adds the preview's script to pages.
func (s *Server) send(w http.ResponseWriter, r *http.Request, f output.File, status, rev int) {
	route.SetFileHeaders(w.Header(), f.ContentType)
	if f.Immutable {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	data, err := f.Bytes() // results of an earlier build exist only in compressed form
	if err != nil {
		http.Error(w, "The file cannot be read.", http.StatusInternalServerError)
		return
	}
	if strings.HasPrefix(f.ContentType, "text/html") {
		data = withScript(data, rev)
	}
	if status != http.StatusOK {
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			_, _ = w.Write(data) // fails only if the browser has disconnected
		}
		return
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// withScript adds the preview's script to a page's head.
func withScript(page []byte, rev int) []byte {
	tag := `<script src="` + prefix + `client.js" defer data-lectern-dev="` + strconv.Itoa(rev) + `"></script>`
	at := bytes.Index(page, []byte("</head>"))
	if at < 0 {
		at = 0
	}
	out := make([]byte, 0, len(page)+len(tag))
	return append(append(append(out, page[:at]...), tag...), page[at:]...)
}

// emptyPage returns the page for a folder without pages.
func (s *Server) emptyPage() []byte {
	var b htmlbuf.Buffer
	b.Raw(
		`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>No page yet</title></head><body><h1>No page yet</h1>` +
			`<p>Add an index.mdx to the folder, and it appears here.</p></body></html>`)
	return b.Bytes()
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintln(w, text) // fails only if the browser has disconnected
}
