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

//go:embed token.js
var tokenScript string

// sendScript sends the form of a page that brings a response of a SAML provider.
const sendScript = `document.querySelector("form").submit();`

// page renders the pages of signing in and out. They load nothing, because every file of the site needs a session, and
// work without scripts, except for the one that reads a token from the address's fragment.
type page struct{ template *template.Template }

func newPage() page { return page{template.Must(template.New("page").Parse(pageText))} }

// view is what a page shows.
type view struct {
	Look    siteapi.Look
	Base    string // path that the site stands below; "" = the root
	Kind    string // "in", "out", "failed", "token" for a page that sends the token of its address, or "saml"
	Next    string // where the reader wants to go, as safeNext returns it
	Problem string // what is wrong with the last attempt; "" = nothing
	Ways    ways
	SAML    samlForm     // what a page of the kind "saml" sends
	Style   template.CSS // filled in by write
	Script  template.JS  // likewise; "" = none
}

// ways are what the sign-in page offers.
type ways struct {
	Password  bool
	Providers []way
	Handoff   string // address of the organization's application; "" = not offered
	Member    string // address that leads to the dashboard; "" = there is none
}

// Other reports whether there is a way for readers who are not members.
func (w ways) Other() bool { return w.Password || len(w.Providers) > 0 || w.Handoff != "" }

type way struct{ Label, Address string }

// write answers with a page. Its style is allowed by its digest, and nothing else is.
func (p page) write(w http.ResponseWriter, r *http.Request, status int, v view) error {
	if v.Look.Name == "" {
		v.Look.Name = "Documentation"
	}
	style := colours(v.Look) + pageStyle
	v.Style = template.CSS(style) // ours, with colours whose form sitehost has checked
	script := "'none'"
	if text := map[string]string{"token": tokenScript, "saml": sendScript}[v.Kind]; text != "" {
		v.Script, script = template.JS(text), digest(text)
	}
	var body bytes.Buffer
	if err := p.template.Execute(&body, v); err != nil {
		return fmt.Errorf("render sign-in page: %w", err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src "+script+"; style-src "+digest(style)+
		"; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
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

// digest allows an inline style or script in a content policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
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
