package bundlehost

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// siteOf returns a small site whose pages contain its version.
func siteOf(version string) map[string]string {
	site := map[string]string{
		"index.html":        "<title>home of " + version + "</title>" + strings.Repeat("<p>words</p>", 200),
		"index.md":          "# home of " + version,
		"guides/start.html": "<p>start of " + version + "</p>", "guides/start.md": "# start of " + version,
		"team/index.html": "<p>team of " + version + "</p>",
		"404.html":        "<p>nothing in " + version + "</p>", "llms.txt": "list", "drawing.svg": "<svg/>",
		"odd name.html": "<p>odd</p>",
		"old/deep.html": movedTo("../guides/start.html#a"), "old/home.html": movedTo("../index.html"),
		"away.html": movedTo("https://example.com/q?a=1&amp;b=2"), "trap.html": movedTo("javascript:alert(1)"),
		"_lectern/redirects.json": `[{"source":"/v1/:page*","destination":"/guides/:page*","permanent":true},` +
			`{"source":"/host/:page*","destination":"https://example.com/:page*"},{"source":"/guides/:any","destination":"/"},` +
			`{"source":"/steer/:host","destination":"https://:host/"}]`,
		"_lectern/theme." + digits(version) + ".css": "p{}",
	}
	for i := range 20 {
		site[fmt.Sprintf("page-%d.html", i)] = fmt.Sprintf("<p>page %d of %s</p>", i, version)
	}
	return site
}

// movedTo returns a redirect page as written by exports.
func movedTo(to string) string {
	return "<!doctype html>\n<html lang=\"en\">\n<head>\n" + `<script src="../_lectern/moved.2a4cfde265.js" data-to="` +
		to + `"></script>` + "\n" +
		`<noscript><meta http-equiv="refresh" content="0; url=` + to + `"></noscript>` +
		"\n</head>\n<body>moved</body>\n</html>\n"
}

// digits returns ten hex digits that represent a version.
func digits(version string) string {
	sum := sha256.Sum256([]byte(version))
	return fmt.Sprintf("%x", sum[:5])
}

// bundleOf returns the site as an archive.
func bundleOf(t testing.TB, version string) []byte {
	t.Helper()
	return packed(t, version, siteOf(version))
}

// packed returns a site as an archive, with a manifest.
func packed(t testing.TB, version string, site map[string]string) []byte {
	t.Helper()
	m := output.Manifest{Format: output.ManifestFormat, Tool: "test", Version: version, Features: []string{}}
	for _, path := range slices.Sorted(maps.Keys(site)) {
		m.Files = append(m.Files, output.ManifestFile{Path: path, Size: int64(len(site[path])),
			SHA256: sha256.Sum256([]byte(site[path])), Type: output.ContentType(path)})
	}
	m.TreeHash = m.Hash()
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	site[output.ManifestPath] = string(raw)
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	w := tar.NewWriter(gz)
	for _, path := range slices.Sorted(maps.Keys(site)) {
		err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: path, Size: int64(len(site[path])), Mode: 0o644})
		if err == nil {
			_, err = io.WriteString(w, site[path])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if w.Close() != nil || gz.Close() != nil {
		t.Fatal("close archive")
	}
	return b.Bytes()
}

// origin is a web server that serves a bundle.
type origin struct {
	*httptest.Server
	mu     sync.Mutex
	data   []byte // guarded by mu; nil: the link has expired
	silent bool   // guarded by mu; accept requests and never respond
	asked  atomic.Int64
	given  atomic.Int64 // number of whole bundles sent
}

func newOrigin(t testing.TB, data []byte) *origin {
	t.Helper()
	o := &origin{data: data}
	o.Server = httptest.NewServer(o)
	t.Cleanup(o.Close)
	return o
}

func (o *origin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.asked.Add(1)
	o.mu.Lock()
	data, silent := o.data, o.silent
	o.mu.Unlock()
	if silent {
		<-r.Context().Done()
		return
	}
	if data == nil {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	etag := fmt.Sprintf(`"%x"`, sha256.Sum256(data))
	if w.Header().Set("ETag", etag); r.Header.Get("If-None-Match") == etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	o.given.Add(1)
	_, _ = w.Write(data)
}

func (o *origin) give(data []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.data = data
}

// running is a server as started by the command, except for the listeners.
type running struct {
	*httptest.Server
	again chan struct{}
	ended chan error
	stop  func()
	log   *lines
}

// operatorHost is the host name under which tests reach the operators' pages.
const operatorHost = "operators.test"

type setup struct {
	dir, base, version, sha256 string
	poll                       time.Duration
	shared, external           bool
	endpoints                  map[string]siteapi.Endpoint
}

// start starts a server that gets its bundle from the URL. It does not wait until the server is ready.
func start(t testing.TB, address string, s setup) *running {
	t.Helper()
	log := &lines{}
	logger := slog.New(slog.NewTextHandler(log, nil))
	volume, err := bundlestore.Open(s.dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	volume.Shared = s.shared
	r := &running{again: make(chan struct{}), ended: make(chan error, 1), log: log}
	var keeper *bundlestore.Keeper
	host, err := New(Options{BasePath: s.base, Endpoints: s.endpoints, External: s.external,
		Waiting: func() string { return keeper.WaitingFor() }, Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	keeper = bundlestore.NewKeeper(bundlestore.Keeping{Volume: volume, Source: func() (bundlestore.Source, error) {
		if filepath.IsAbs(address) {
			return bundlestore.FromFile{Path: address}, nil
		}
		return bundlestore.NewFromWeb(address, 0, nil)
	},
		Expect: bundlestore.Expect{Version: s.version, SHA256: s.sha256}, Keep: 3, Poll: s.poll, Show: host.Show,
		Again: r.again, Logger: logger})
	ctx, cancel := context.WithCancel(context.Background())
	site, operators := host.Health(host), host.OperatorHealth(http.NotFoundHandler(), keeper.Waiting)
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host == operatorHost { // stands for the other listener
			operators.ServeHTTP(w, r)
			return
		}
		site.ServeHTTP(w, r)
	}))
	go func() { r.ended <- keeper.Run(ctx) }()
	var once sync.Once
	r.stop = func() {
		once.Do(func() {
			cancel()
			err := <-r.ended
			r.Server.Close()
			host.Close()
			r.ended <- err
		})
	}
	t.Cleanup(r.stop)
	return r
}

// until waits until the body at a path contains a text.
func (r *running) until(t testing.TB, path, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, body := r.get(t, path); strings.Contains(body, text) {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("%s never contained %q; log: %s", path, text, r.log)
		}
	}
}

// said waits until the log contains a text.
func (r *running) said(t testing.TB, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !strings.Contains(r.log.String(), text) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("never logged %q; log: %s", text, r.log)
		}
	}
}

// get sends a request like a browser, without following redirects; headers have the form "Name: value".
func (r *running) get(t testing.TB, path string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if req.Header.Set(name, value); name == "Host" {
			req.Host = value
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

// lines is a log that can be read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer // guarded by mu
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// asking waits until the origin has received a request.
func (r *running) asking(t testing.TB, o *origin) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for o.asked.Load() == 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("no request to the origin; log: %s", r.log)
		}
	}
}

// ready waits until the server reports that it is ready.
func (r *running) ready(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if resp, _ := r.get(t, "/readyz"); resp.StatusCode == http.StatusOK {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("never ready; log: %s", r.log)
		}
	}
}
