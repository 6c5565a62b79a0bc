package sitehost

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/blob"
	"github.com/lectern-docs/lectern/internal/deploy"
	"github.com/lectern-docs/lectern/internal/publish"
)

// Options say where sites are found and stored.
type Options struct {
	Sites         Sites
	Blob          blob.Store
	PreviewDomain string
	CacheBytes    int64 // for file contents; manifests have as much again
	Now           func() time.Time
	Logger        *slog.Logger
}

// Host answers for every published site.
type Host struct {
	finder
	blob   blob.Store
	trees  *cache[*tree]
	bytes  *cache[[]byte]
	logger *slog.Logger
}

// New makes a host.
func New(opt Options) *Host {
	return &Host{
		finder: finder{sites: opt.Sites, preview: strings.ToLower(opt.PreviewDomain), now: opt.Now, seen: map[string]found{}},
		blob:   opt.Blob, trees: newCache[*tree](opt.CacheBytes), bytes: newCache[[]byte](opt.CacheBytes), logger: opt.Logger,
	}
}

// Route serves requests for sites and passes all others on. observe wraps what answers for sites, to count and time it.
func (h *Host) Route(others http.Handler, observe func(http.Handler) http.Handler) http.Handler {
	sites := observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.serve(w, r, r.Context().Value(siteKey{}).(Site))
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, ok, err := h.find(r.Context(), hostName(r.Host))
		switch {
		case err != nil:
			h.broken(w, r, fmt.Errorf("find site: %w", err))
		case ok:
			sites.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), siteKey{}, s)))
		case h.previewHost(hostName(r.Host)): // authors' scripts ran under such names: nothing else may answer there (C9)
			plain(w, http.StatusNotFound, "There is no such preview.")
		default:
			others.ServeHTTP(w, r)
		}
	})
}

// siteKey is under which a request's context holds its Site on the way through the observer.
type siteKey struct{}

// The rules a page lives under. Pages carry no inline script, and no inline style but for diagrams, so neither needs to be allowed (C5). Components of authors may ask
// other sites for data.
const (
	pagePolicy = "default-src 'self'; img-src 'self' data: https:; media-src 'self' https:; font-src 'self' data:; connect-src 'self' https:; frame-src https:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
	// The script that draws diagrams puts style elements into its drawings. Scripts stay as they are.
	drawnPolicy = pagePolicy + "; style-src 'self' 'unsafe-inline'"
	// An image or document that an author uploaded must not act as a page of the site (C4).
	filePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
)

func (h *Host) serve(w http.ResponseWriter, r *http.Request, s Site) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	header.Set("Content-Security-Policy", pagePolicy)
	if s.Preview {
		header.Set("X-Robots-Tag", "noindex")
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		plain(w, http.StatusMethodNotAllowed, "Pages are only for reading.")
		return
	}
	if s.ManifestKey == "" {
		header.Set("Retry-After", "5")
		plain(w, http.StatusServiceUnavailable, "This site has not been published yet. Try again in a moment.")
		return
	}
	t, err := h.tree(r.Context(), s.ManifestKey)
	if err != nil {
		h.broken(w, r, err)
		return
	}
	h.answer(w, r, t)
}

func (h *Host) answer(w http.ResponseWriter, r *http.Request, t *tree) {
	a := t.resolve(r.URL.Path)
	if a.location != "" {
		redirect(w, r, a)
		return
	}
	status := http.StatusOK
	if !a.found {
		if a, status = t.file("404.html"), http.StatusNotFound; !a.found {
			plain(w, status, "There is no such page.")
			return
		}
	}
	if err := h.file(w, r, t, a.file, status); err != nil {
		h.broken(w, r, err)
	}
}

func redirect(w http.ResponseWriter, r *http.Request, a answer) {
	to := a.location
	if r.URL.RawQuery != "" && !strings.Contains(to, "?") {
		base, anchor, has := strings.Cut(to, "#")
		if to = base + "?" + r.URL.RawQuery; has {
			to += "#" + anchor
		}
	}
	code := http.StatusTemporaryRedirect
	if a.permanent {
		code = http.StatusPermanentRedirect
	}
	w.Header().Set("Cache-Control", "public, max-age=0, must-revalidate")
	http.Redirect(w, r, to, code)
}

// file sends a stored file, compressed when it is stored so and the reader takes it.
func (h *Host) file(w http.ResponseWriter, r *http.Request, t *tree, f deploy.File, status int) error {
	gz := f.Gzip && acceptsGzip(r.Header.Get("Accept-Encoding"))
	content, err := h.content(r.Context(), t, f, gz)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	header := w.Header()
	header.Set("Content-Type", f.ContentType)
	header.Set("Cache-Control", "public, max-age=0, must-revalidate")
	if f.Immutable {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if f.Drawn {
		header.Set("Content-Security-Policy", drawnPolicy)
	}
	if active(f.ContentType) {
		header.Set("Content-Security-Policy", filePolicy)
	}
	etag := f.SHA256[:32]
	if f.Gzip {
		header.Set("Vary", "Accept-Encoding")
	}
	if gz {
		header.Set("Content-Encoding", "gzip")
		r.Header.Del("Range") // ranges of a compressed twin would differ from those of the file
		etag += "-gz"
	}
	header.Set("ETag", `"`+etag+`"`)
	if status != http.StatusOK {
		w.WriteHeader(status)
		if r.Method == http.MethodHead {
			return nil
		}
		_, err := io.Copy(w, content)
		return ignoreGone(r.Context(), err)
	}
	http.ServeContent(w, r, "", time.Time{}, content)
	return nil
}

// ignoreGone drops the error of a reader who left.
func ignoreGone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// active reports whether a browser would run scripts in a file opened by itself although it is not one of our pages.
func active(contentType string) bool {
	t, _, _ := strings.Cut(contentType, ";")
	return strings.HasSuffix(t, "xml")
}

const cacheFileMax = 512 << 10 // stored bytes; larger files are streamed from the blob store

// content opens a file as it is stored, or unpacked for the few readers who cannot take it compressed.
func (h *Host) content(ctx context.Context, t *tree, f deploy.File, gz bool) (io.ReadSeekCloser, error) {
	key := f.SHA256
	if gz {
		key += ".gz"
	}
	if data, ok := h.bytes.get(key); ok {
		return closer{bytes.NewReader(data)}, nil
	}
	r, err := publish.OpenFile(ctx, h.blob, t.manifest, f)
	if err != nil {
		return nil, err
	}
	unpack := f.Gzip && !gz
	if f.Length > cacheFileMax && !unpack {
		return r, nil
	}
	defer func() { _ = r.Close() }()
	data, err := readAll(r, unpack)
	if err != nil {
		return nil, fmt.Errorf("read site file: %w", err)
	}
	h.bytes.put(key, data, int64(len(data)))
	return closer{bytes.NewReader(data)}, nil
}

func readAll(r io.Reader, unpack bool) ([]byte, error) {
	if unpack {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		r = z
	}
	return io.ReadAll(r)
}

type closer struct{ io.ReadSeeker }

func (closer) Close() error { return nil }

// tree loads a manifest; manifests never change, so the cache needs no expiry.
func (h *Host) tree(ctx context.Context, key string) (*tree, error) {
	if t, ok := h.trees.get(key); ok {
		return t, nil
	}
	m, err := publish.LoadManifest(ctx, h.blob, key)
	if err != nil {
		return nil, err
	}
	t := newTree(m)
	h.trees.put(key, t, int64(len(m.Files)+1)*300) // about 300 bytes an entry in memory
	return t, nil
}

// acceptsGzip reads Accept-Encoding as far as needed: gzip or *, not refused with q=0.
func acceptsGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if name != "gzip" && name != "*" {
			continue
		}
		q := strings.ReplaceAll(params, " ", "")
		return q != "q=0" && q != "q=0.0" && q != "q=0.00" && q != "q=0.000"
	}
	return false
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n")
}

func (h *Host) broken(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // the reader left
	}
	h.logger.Error("serve site", "host", r.Host, "path", r.URL.Path, "error", err)
	plain(w, http.StatusInternalServerError, "Something went wrong on our side.")
}
