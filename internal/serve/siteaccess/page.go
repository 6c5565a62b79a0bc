package siteaccess

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"

	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

// page renders the pages of signing in and out. They work without scripts and load nothing: every file of the site
// needs a session.
type page struct{ template *template.Template }

func newPage() page { return page{template.Must(template.New("page").Parse(pageText))} }

// view is what a page shows.
type view struct {
	Look    siteapi.Look
	Kind    string // "in", "out" or "failed"
	Next    string // where the reader wants to go, as safeNext returns it
	Problem string // what is wrong with the last attempt; "" = nothing
	Ways    ways
	Style   template.CSS // filled in by write
}

// ways are what the sign-in page offers.
type ways struct {
	Password bool
	Member   string // address that leads to the dashboard; "" = not offered
}

// write answers with a page. Its style is allowed by its digest, and nothing else is.
func (p page) write(w http.ResponseWriter, r *http.Request, status int, v view) error {
	if v.Look.Name == "" {
		v.Look.Name = "Documentation"
	}
	style := colours(v.Look) + pageStyle
	v.Style = template.CSS(style) // ours, with colours whose form sitehost has checked
	var body bytes.Buffer
	if err := p.template.Execute(&body, v); err != nil {
		return fmt.Errorf("render sign-in page: %w", err)
	}
	digest := sha256.Sum256([]byte(style))
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'sha256-"+
		base64.StdEncoding.EncodeToString(digest[:])+
		"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body.Bytes()) // the reader has gone
	}
	return nil
}

// colours returns the site's own as a style sheet; page.css has defaults.
func colours(l siteapi.Look) string {
	out := ""
	if l.Button != "" {
		out = ":root{--button:" + l.Button + ";--on-button:" + l.OnButton + "}\n"
	}
	if l.DarkButton != "" {
		out += "@media (prefers-color-scheme:dark){:root{--button:" + l.DarkButton + ";--on-button:" + l.DarkOnButton + "}}\n"
	}
	return out
}
