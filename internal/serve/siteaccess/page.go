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

// sendScript submits the form on the page that contains a SAML response.
const sendScript = `document.querySelector("form").submit();`

// page renders the sign-in and sign-out pages. They load no other files, because every file of the site requires a
// session, and they work without scripts, except for the one that reads a token from the URL's fragment.
type page struct{ template *template.Template }

func newPage() page { return page{template.Must(template.New("page").Parse(pageText))} }

// view is the data of a page.
type view struct {
	Look    siteapi.Look
	Base    string // path below which the site is served; "" = the root
	Kind    string // "in", "out", "failed", "token" for a page that submits the token in its URL, or "saml"
	Next    string // page that the reader wants, as returned by safeNext
	Problem string // what was wrong with the last attempt; "" = nothing
	Ways    ways
	SAML    samlForm     // form submitted by a page of kind "saml"
	Style   template.CSS // set by write
	Script  template.JS  // set by write; "" = none
}

// ways lists the options on the sign-in page.
type ways struct {
	Password  bool
	Providers []way
	Handoff   string // URL of the organization's own application; "" = not offered
	Member    string // URL that leads to the dashboard; "" = not offered
}

// Other reports whether there is an option for readers who are not members.
func (w ways) Other() bool { return w.Password || len(w.Providers) > 0 || w.Handoff != "" }

type way struct{ Label, Address string }

// write responds with a page. Its content policy allows only its own style, by digest.
func (p page) write(w http.ResponseWriter, r *http.Request, status int, v view) error {
	if v.Look.Name == "" {
		v.Look.Name = "Documentation"
	}
	style := colours(v.Look) + pageStyle
	v.Style = template.CSS(style) // our own style; sitehost has validated the colors
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
		_, _ = w.Write(body.Bytes()) // fails only if the client has disconnected
	}
	return nil
}

// digest returns the content policy source for an inline style or script.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// colours returns a style sheet with the site's colors; page.css has defaults.
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
