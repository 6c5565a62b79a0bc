package siteaccess

import (
	"encoding/json"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// robots keeps search engines from crawling a protected site.
func robots(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, "User-agent: *\nDisallow: /\n") // fails only if the client has disconnected
	}
}

// refuse responds to a request without a reader, in the same way whether or not the path exists: people are
// redirected to the sign-in page, programs get the reason.
func (s *Service) refuse(w http.ResponseWriter, r *http.Request, site siteapi.Protected, err error) {
	if fault.Is(err, fault.Unauthenticated) && isPage(r) && !s.hasKey(r) {
		redirect(w, site.Base+withNext(loginPath, safeNext(r.URL.RequestURI())))
		return
	}
	s.problem(w, r, err)
}

// isPage reports whether a browser requests a page to show to a person.
func isPage(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead ||
		!strings.Contains(r.Header.Get("Accept"), "text/html") {
		return false
	}
	if dest := r.Header.Get("Sec-Fetch-Dest"); dest != "" {
		return dest == "document" // a page or file in a window; not an image, a script or a script's request
	}
	ext := path.Ext(r.URL.Path)
	return ext == "" || ext == ".html" || strings.ContainsAny(ext, "0123456789") // versions such as /v1.2
}

// problem responds with a fault as JSON, or as text if the client does not accept JSON.
func (s *Service) problem(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // the client has disconnected
	}
	f, ok := fault.As(err)
	if !ok || fault.IsOutage(err) {
		s.Log.ErrorContext(r.Context(), "failed to identify reader of protected site", "host", r.Host, "error", err)
		f, _ = fault.As(fault.New(fault.Unavailable, "unavailable", "This site cannot be shown at the moment.").
			WithHint("Try again in a few seconds."))
		w.Header().Set("Retry-After", "2")
	}
	status := apierror.Status(f.Kind)
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	if status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="docs"`)
	}
	if f.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(apierror.Seconds(f.RetryAfter)))
	}
	if wantsText(r) {
		h.Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, strings.TrimSpace(f.Public+" "+f.Hint)+"\n")
		return
	}
	h.Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(apierror.Body{Error: f.Public, Code: f.Code, Hint: f.Hint,
		RequestID: w.Header().Get("X-Request-Id")})
}

func wantsText(r *http.Request) bool {
	accept, ext := r.Header.Get("Accept"), path.Ext(r.URL.Path)
	return strings.Contains(accept, "text/plain") || strings.Contains(accept, "text/markdown") || ext == ".md" ||
		ext == ".txt"
}

// fail shows the sign-in page with an error.
func (s *Service) fail(w http.ResponseWriter, r *http.Request, site siteapi.Protected, err error) {
	f, ok := fault.As(err)
	if !ok || fault.IsOutage(err) || fault.Is(err, fault.NotFound) {
		s.problem(w, r, err)
		return
	}
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(apierror.Seconds(f.RetryAfter)))
	}
	shown := view{Look: site.Look(r.Context()), Base: site.Base, Kind: "failed", Problem: strings.TrimSpace(f.Public + " " + f.Hint)}
	if err := s.page.write(w, r, apierror.Status(f.Kind), shown); err != nil {
		s.problem(w, r, err)
	}
}
