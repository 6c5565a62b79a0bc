package dashboard

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/auth"
	front "github.com/lectern-docs/lectern/web/dashboard"
)

// AssetPath is below which the page's files answer.
const AssetPath = "/_dashboard/"

// policy lets the first page use its own files and nothing else: no script, no inline style, no frame (C5).
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// livePolicy also lets the page of exports run its own script and ask this server.
const livePolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'"

//go:embed page.html
var pageText string

//go:embed exports.html
var exportsText string

// exportsPath is where the page of exports answers.
const exportsPath = AssetPath + "exports"

// Options are what the page tells.
type Options struct {
	Version   string
	DocsURL   string       // where our own docs are published; "" = nowhere
	PublicURL string       // address of this server; "" = the one each caller uses
	Proxies   auth.Proxies // believed about that address
	Proposals Proposals    // nil = there are none
	API       http.Handler // the admin API, which does what forms ask for; nil only with Proposals nil
}

// board answers for the page and its files.
type board struct {
	Options
	page     *template.Template
	exports  *template.Template
	proposal *template.Template
	files    map[string]file // by path below AssetPath
}

type file struct {
	body []byte
	kind string // content type
	tag  string // ETag
}

// New makes the handler. It answers GET and HEAD for /, the pages of exports and proposals and what is below AssetPath, and the forms of
// proposals; everything else is 404.
func New(o Options) http.Handler {
	return &board{Options: o, page: template.Must(template.New("page").Parse(pageText)),
		exports: template.Must(template.New("exports").Parse(exportsText)), proposal: newProposalPage(), files: load(front.Files())}
}

// load reads the embedded files once; they cannot be missing, so a failure is a mistake in the program.
func load(from fs.FS) map[string]file {
	out := map[string]file{}
	err := fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(from, name)
		out[name] = file{body: body, kind: mime.TypeByExtension(path.Ext(name)), tag: tagOf(body)}
		return err
	})
	if err != nil {
		panic("dashboard: read embedded files: " + err.Error())
	}
	return out
}

func tagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// ServeHTTP answers a request.
func (b *board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if strings.HasPrefix(r.URL.Path, ProposalsPath) {
		b.serveProposal(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "This page answers GET only.", http.StatusMethodNotAllowed)
		return
	}
	switch r.URL.Path {
	case "/":
		b.servePage(w, r, b.page)
		return
	case exportsPath:
		h.Set("Content-Security-Policy", livePolicy)
		b.servePage(w, r, b.exports)
		return
	}
	name, _ := strings.CutPrefix(r.URL.Path, AssetPath)
	f, ok := b.files[name]
	if !ok {
		http.Error(w, "There is nothing here.", http.StatusNotFound)
		return
	}
	send(w, r, f)
}

func (b *board) servePage(w http.ResponseWriter, r *http.Request, page *template.Template) {
	base := strings.TrimRight(b.PublicURL, "/")
	if base == "" {
		base = b.Proxies.BaseURL(r)
	}
	var out bytes.Buffer
	err := page.Execute(&out, struct{ Assets, DocsURL, BaseURL, Version string }{AssetPath, b.DocsURL, base, b.Version})
	if err != nil {
		panic("dashboard: render page: " + err.Error()) // strings always render
	}
	send(w, r, file{body: out.Bytes(), kind: "text/html; charset=utf-8", tag: tagOf(out.Bytes())})
}

func send(w http.ResponseWriter, r *http.Request, f file) {
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.tag)
	if r.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(f.body) // the reader has gone: nobody is left to tell
}
