package bundlehost

import (
	"encoding/hex"
	"io"
	"net/http"
	"os"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
	"github.com/lectern-docs/lectern/internal/serve/httpfile"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// reply serves one request from one version.
type reply struct {
	host    *Host
	w       http.ResponseWriter
	r       *http.Request
	path    string // below the base path, with a leading slash
	version *bundlestore.Version
	now     *shown               // owner of the version
	want    *wish                // cache key of the response; nil = not cached
	before  *bundlestore.Version // nil = none
	failed  error                // error of the first lookup that failed because of the volume
}

// has reports whether the version has a file.
func (a *reply) has(name string) bool {
	_, ok, err := a.version.Lookup(name)
	if err != nil && a.failed == nil {
		a.failed = err
	}
	return ok
}

// resolve finds the target of the path. A bundle's pages use relative links, so the index page of a folder must be
// served with a trailing slash; everything else works as on any site.
func (a *reply) resolve() route.Resolution {
	p := strings.TrimPrefix(path.Clean(a.path), "/")
	if strings.HasSuffix(a.path, "/") && p != "" && a.has(p+"/index.html") {
		return route.Resolution{File: p + "/index.html"}
	}
	if folder, ok := strings.CutSuffix(strings.TrimSuffix(p, ".html"), "/index"); ok && a.has(folder+"/index.html") {
		return route.Resolution{Location: route.FilePath(folder) + "/", Permanent: true}
	}
	answer := route.Resolve(a.path, a.has, a.now.moves())
	if folder, ok := strings.CutSuffix(answer.File, "/index.html"); ok {
		return route.Resolution{Location: route.FilePath(folder) + "/", Permanent: true}
	}
	return answer
}

// language redirects a request for the first page of a multilingual site to the reader's language, if that is not the
// default. Otherwise it marks the response as uncacheable and sets Vary.
func (a *reply) language() (sent bool) {
	if path.Clean(a.path) != "/" {
		return false
	}
	languages := a.now.speaks()
	if languages == nil {
		return false
	}
	page := languages.Page(a.r)
	if file := link.File(page); page != "" && a.has(file) {
		to := route.FilePath(page)
		if folder, ok := strings.CutSuffix(to, "/index"); ok {
			to = folder + "/"
		}
		route.SendToLanguage(a.w, a.r, a.host.opt.BasePath+to)
		return true
	}
	route.SetLanguageHeaders(a.w.Header())
	a.want = nil
	return false
}

func (a *reply) answer() {
	if a.language() {
		return
	}
	to := a.resolve()
	wantsText := route.PrefersMarkdown(a.r.Header.Values("Accept"))
	if to.Location != "" && a.failed == nil {
		a.host.redirect(a.w, a.r, to.Location, to.Permanent)
		return
	}
	status := http.StatusOK
	header := a.w.Header()
	if to.File == "" {
		if a.older() {
			return
		}
		if to.File, status = lostPage, http.StatusNotFound; !a.has(to.File) || wantsText {
			a.missing()
			return
		}
		header.Add("Vary", "Accept") // other readers of this URL get Markdown
	} else if twin, ok := route.Twin(to.File, a.has); ok && wantsText && !strings.HasSuffix(a.path, ".html") {
		to.File = twin
		header.Set("Content-Location", a.host.opt.BasePath+route.FilePath(twin))
		header.Add("Vary", "Accept")
	}
	route.SetPageHeaders(header, to.File, "", a.has)
	route.Rebase(header, a.host.opt.BasePath)
	if to.File == lostPage {
		a.now.allowLost(header)
	}
	a.file(a.version, to.File, status)
}

// older serves a file that only the previous version has, if its name contains a digest. Pages that were opened before
// the switch still request such files.
func (a *reply) older() bool {
	name := strings.TrimPrefix(path.Clean(a.path), "/")
	if a.before == nil || !immutable(name) {
		return false
	}
	if _, ok, err := a.before.Lookup(name); err != nil || !ok {
		return false
	}
	a.file(a.before, name, http.StatusOK)
	return true
}

// fingerprinted matches the names of files that contain a digest of their own content.
var fingerprinted = lazyregexp.New(`^_lectern/.*\.[0-9a-f]{10,64}\.[a-z0-9]+$`)

func immutable(name string) bool { return fingerprinted.MatchString(name) }

// file sends a file, compressed if there is a compressed form and the client accepts it.
func (a *reply) file(v *bundlestore.Version, name string, status int) {
	f, ok, err := v.Lookup(name)
	if err != nil || !ok || a.failed != nil {
		a.broken(err)
		return
	}
	if to := a.moved(v, name, f); to != "" && status == http.StatusOK {
		// The page does not say whether the redirect is permanent.
		a.host.send(a.w, a.r, to, http.StatusTemporaryRedirect)
		return
	}
	packed := f.Packed > 0 && route.AcceptsGzip(a.r.Header.Get("Accept-Encoding"))
	content, err := v.Open(name, f, packed)
	if err != nil {
		a.broken(err)
		return
	}
	defer func() { _ = content.Close() }() // read only
	header := a.w.Header()
	route.SetFileHeaders(header, output.ContentType(name))
	header.Set("Cache-Control", "public, max-age=0, must-revalidate")
	if immutable(name) {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	etag := hex.EncodeToString(f.Sum[:])
	if f.Packed > 0 {
		header.Add("Vary", "Accept-Encoding")
	}
	if packed {
		header.Set("Content-Encoding", "gzip")
		etag += "-gz"
	}
	header.Set("ETag", `"`+etag+`"`)
	if status == http.StatusOK {
		a.send(v, ready{name: name, file: f, packed: packed}, content)
		return
	}
	a.w.WriteHeader(status)
	if a.r.Method != http.MethodHead {
		_, _ = io.Copy(a.w, content) // fails only if the client has disconnected
	}
}

// send sends a file whose headers are set, and caches the response if possible.
func (a *reply) send(v *bundlestore.Version, next ready, content *os.File) {
	size := next.file.Size
	if next.packed {
		size = next.file.Packed
	}
	next.Response = httpfile.New(a.w.Header(), size)
	if a.want == nil || v != a.version {
		next.Stream(a.w, a.r, content)
		return
	}
	if err := a.keep(next, size, content); err != nil {
		for _, name := range []string{"Content-Encoding", "ETag", "Vary", "Link"} { // these headers belong to the file
			a.w.Header().Del(name)
		}
		a.broken(err)
	}
}

// missing responds to a request for a missing path with Markdown.
func (a *reply) missing() {
	if a.failed != nil {
		a.broken(nil)
		return
	}
	a.w.Header().Add("Vary", "Accept")
	a.w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
	a.w.Header().Set("Cache-Control", "public, max-age=0, must-revalidate")
	a.w.WriteHeader(http.StatusNotFound)
	if a.r.Method != http.MethodHead {
		// The write fails only if the client has disconnected.
		_, _ = io.WriteString(a.w, route.Missing(a.host.opt.BasePath, a.has))
	}
}

// broken responds with an internal error because the volume failed.
func (a *reply) broken(err error) {
	if err == nil {
		err = a.failed
	}
	a.host.opt.Logger.Error("failed to serve bundle", "path", a.r.URL.Path, "version", a.version.Version, "error", err)
	plain(a.w, http.StatusInternalServerError, "An internal error occurred.")
}
