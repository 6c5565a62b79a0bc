package score_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/score"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/mcp"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/site/link"
)

var source = fstest.MapFS{
	"docs.json": {
		Data: []byte(`{"name":"Rockets","description":"How to build a rocket.","theme":"mint","colors":{"primary":"#112233"},
		"navigation":{"groups":[{"group":"Guides","pages":["index","guides/start","guides/fuel"]}]}}`)},
	"index.mdx": {Data: []byte(
		"---\ntitle: Home\ndescription: Where to begin.\n---\nWelcome to the documentation of rockets, which explains assembly, fuel and flight in detail.\n")},
	"guides/start.mdx": {Data: []byte(
		"---\ntitle: Start\ndescription: Assemble the parts.\n---\n## Install the thruster\n\nBolt the thruster to the fuselage with four screws.\n\n![A thruster](/thruster.png)\n")},
	"guides/fuel.mdx": {Data: []byte(
		"---\ntitle: Fuel\ndescription: What it burns.\n---\nThe thruster burns kerosene. Fill the tank before each flight.\n")},
	"thruster.png": {Data: []byte("\x89PNG\r\n\x1a\n")},
}

// site serves a published site over HTTP and returns its address; spoil changes its responses.
func site(t *testing.T, spoil func(http.Handler) http.Handler) (address string) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	address = "http://" + server.Listener.Addr().String()
	built := &sitehost.Built{}
	report, err := build.Build(t.Context(), source, build.Options{BaseURL: address, Links: link.Clean,
		Offers: capability.Offers{Search: true}, MCP: address + "/mcp",
		Modified: func(string) time.Time { return time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC) }}, built)
	if err != nil || report.Failed > 0 || report.Diagnostics.HasErrors() {
		t.Fatalf("%+v %v", report, err)
	}
	built.Manifest.Name, built.Manifest.Origin = report.Name, address
	handler := sitehost.Single(sitehost.Options{CacheBytes: 1 << 22, Now: time.Now,
		Logger: slog.New(slog.DiscardHandler), Agents: mcp.New(mcp.Options{Version: "1", Local: true, Now: time.Now,
			Logger: slog.New(slog.DiscardHandler)})}, built)
	if spoil != nil {
		handler = spoil(handler)
	}
	server.Config.Handler = handler
	server.Start()
	t.Cleanup(server.Close)
	return address
}

func do(ctx context.Context, in score.Request) (score.Response, error) {
	r, err := http.NewRequestWithContext(ctx, in.Method, in.URL, strings.NewReader(in.Body))
	if err != nil {
		return score.Response{}, err
	}
	for k, v := range in.Header {
		r.Header[k] = v
	}
	res, err := http.DefaultTransport.RoundTrip(r) // follows nothing
	if err != nil {
		return score.Response{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return score.Response{Status: res.StatusCode, Header: res.Header, Body: body}, err
}

func run(t *testing.T, address string) (*score.Report, map[string]score.Result) {
	t.Helper()
	r, err := score.Run(t.Context(), address, do)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]score.Result{}
	for _, c := range r.Checks {
		byID[c.ID] = c
	}
	return r, byID
}

func TestPublishedSiteScoresAllPoints(t *testing.T) {
	r, _ := run(t, site(t, nil))
	for _, c := range r.Checks {
		if c.Status != score.Pass || c.Hint != "" || len(c.Evidence) == 0 {
			t.Errorf("%+v", c)
		}
	}
	if r.Score != 100 || len(r.Pages) != 3 {
		t.Errorf("%d points for %v", r.Score, r.Pages)
	}
}

func TestTwentyChecksSumToAHundredPoints(t *testing.T) {
	r, byID := run(t, site(t, nil))
	sum := 0
	for _, c := range r.Checks {
		sum += c.Weight
	}
	if len(r.Checks) != 20 || len(byID) != 20 || sum != 100 {
		t.Errorf("%d checks with %d ids, %d points", len(r.Checks), len(byID), sum)
	}
}

// gone responds with 404 for some paths.
func gone(paths ...string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if slices.Contains(paths, r.URL.Path) {
				http.NotFound(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// changed rewrites the headers and bodies of responses.
func changed(change func(r *http.Request, w *httptest.ResponseRecorder,
	body []byte) []byte) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			rec := httptest.NewRecorder()
			next.ServeHTTP(rec, r)
			body := change(r, rec, rec.Body.Bytes())
			for k, v := range rec.Header() {
				w.Header()[k] = v
			}
			w.Header().Del("Content-Length")
			w.WriteHeader(rec.Code)
			_, _ = w.Write(body)
		})
	}
}

// html rewrites pages.
func html(pattern, by string) func(http.Handler) http.Handler {
	expr := regexp.MustCompile(pattern)
	return changed(func(_ *http.Request, w *httptest.ResponseRecorder, body []byte) []byte {
		if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			return body
		}
		return expr.ReplaceAll(body, []byte(by))
	})
}

// in rewrites one file.
func in(path, pattern, by string) func(http.Handler) http.Handler {
	expr := regexp.MustCompile(pattern)
	return changed(func(r *http.Request, _ *httptest.ResponseRecorder, body []byte) []byte {
		if r.URL.Path != path {
			return body
		}
		return expr.ReplaceAll(body, []byte(by))
	})
}

func without(header string) func(http.Handler) http.Handler {
	return changed(func(_ *http.Request, w *httptest.ResponseRecorder, body []byte) []byte {
		w.Header().Del(header)
		return body
	})
}

// Each check fails when its feature is missing, with the reason and a hint about how to fix it.
func TestEachCheckFailsWhenItsFeatureIsMissing(t *testing.T) {
	for name, c := range map[string]struct {
		spoil  func(http.Handler) http.Handler
		fails  string
		status score.Status
	}{
		"no llms.txt":             {gone("/llms.txt"), "llms-txt", score.Fail},
		"no llms.txt, so no form": {gone("/llms.txt"), "llms-txt-form", score.Fail},
		"no heading in llms.txt":  {in("/llms.txt", `(?m)^# .*`, ""), "llms-txt-form", score.Partial},
		"a huge llms.txt": {in("/llms.txt", `$`, strings.Repeat("word ", 30_000)), "llms-txt-form",
			score.Partial},
		"dead links":       {gone("/guides/fuel.md"), "llms-txt-links", score.Partial},
		"no llms-full.txt": {gone("/llms-full.txt"), "llms-full-txt", score.Fail},
		"no Markdown": {gone("/index.md", "/guides/start.md", "/guides/fuel.md"), "markdown-twins",
			score.Fail},
		"deaf to Accept": {deaf, "content-negotiation", score.Fail},
		"no Vary":        {without("Vary"), "content-negotiation", score.Fail},
		"no Link":        {without("Link"), "link-headers", score.Fail},
		"no sitemap":     {gone("/sitemap.xml"), "sitemap", score.Fail},
		"no dates":       {in("/sitemap.xml", `<lastmod>[^<]*</lastmod>`, ""), "sitemap", score.Partial},
		"a page not in the sitemap": {in("/sitemap.xml", `(?s)<url>\s*<loc>[^<]*fuel.*?</url>`, ""), "sitemap",
			score.Partial},
		"no robots.txt": {gone("/robots.txt"), "robots-txt", score.Fail},
		"agents shut out": {in("/robots.txt", `^`, "User-agent: GPTBot\nUser-agent: ClaudeBot\nDisallow: /\n\n"),
			"robots-txt", score.Partial},
		"no signal":      {in("/robots.txt", `(?m)^Content-Signal.*$`, ""), "robots-txt", score.Partial},
		"no canonical":   {html(`<link rel="canonical"[^>]*>`, ""), "canonical", score.Fail},
		"no description": {html(`<meta name="description"[^>]*>`, ""), "descriptions", score.Fail},
		"broken data": {html(`application/ld\+json">`, `application/ld+json">{`), "structured-data",
			score.Fail},
		"two titles":       {html(`</h1>`, "</h1><h1>Again</h1>"), "headings", score.Fail},
		"a skipped level":  {html(`</h1>`, "</h1><h4>Deep</h4>"), "headings", score.Fail},
		"a nameless image": {html(` alt="A thruster"`, ""), "alt-texts", score.Partial},
		"an empty shell": {html(`(?s)<body.*</body>`, `<body><div id="root"></div></body>`), "no-script",
			score.Fail},
		"heavy pages": {html(`</body>`, "<!--"+strings.Repeat("x", 600_000)+"--></body>"), "page-weight",
			score.Fail},
		"everything is found": {found, "status-codes", score.Partial},
		"no skill":            {gone("/skill.md", "/.well-known/agent-skills/index.json"), "well-known", score.Fail},
		"a changed skill": {in("/.well-known/agent-skills/index.json", `sha256:[0-9a-f]{6}`, "sha256:000000"),
			"well-known", score.Partial},
		"no MCP server": {gone("/mcp"), "mcp", score.Fail},
		"another text": {in("/guides/fuel.md", `(?s).*`,
			"# Completely different\n\nNothing whatsoever resembles anything published elsewhere.\n"), "parity",
			score.Partial},
	} {
		t.Run(name, func(t *testing.T) {
			r, byID := run(t, site(t, c.spoil))
			got := byID[c.fails]
			if got.Status != c.status || got.Hint == "" || len(got.Evidence) == 0 || got.Points >= float64(got.Weight) {
				t.Errorf("%+v", got)
			}
			if r.Score >= 100 {
				t.Errorf("%d points", r.Score)
			}
		})
	}
}

// deaf returns a site that ignores the Accept header.
func deaf(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			r.Header.Del("Accept")
		}
		next.ServeHTTP(w, r)
	})
}

// found returns a site that shows its first page for every address.
func found(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		next.ServeHTTP(rec, r)
		if rec.Code == http.StatusNotFound {
			r.URL.Path = "/"
		}
		next.ServeHTTP(w, r)
	})
}

// A plain folder of HTML, as any static host serves it, gets points only for the features it has.
func TestPlainFolderScoresFewPoints(t *testing.T) {
	files := fstest.MapFS{"index.html": {Data: []byte("<!doctype html><title>Bare</title><h1>Bare</h1><p>" +
		strings.Repeat("Some words to read. ", 20))}}
	server := httptest.NewServer(http.FileServerFS(files))
	defer server.Close()
	r, byID := run(t, server.URL)
	if r.Score > 35 || byID["no-script"].Status != score.Pass || byID["llms-txt"].Status != score.Fail ||
		byID["mcp"].Status != score.Fail || byID["status-codes"].Status == score.Fail {
		t.Errorf("%d points: %+v", r.Score, r.Checks)
	}
}

func TestSiteBelowPathIsCheckedThere(t *testing.T) {
	address := site(t, func(next http.Handler) http.Handler { return http.StripPrefix("/docs", next) })
	r, byID := run(t, address+"/docs/")
	if byID["llms-txt"].Status != score.Pass || byID["mcp"].Status != score.Pass || r.URL != address+"/docs" {
		t.Errorf("%s: %+v", r.URL, r.Checks)
	}
}

func TestInvalidOrUnreachableAddressIsAnError(t *testing.T) {
	for _, address := range []string{"", "docs.example.com", "ftp://docs.example.com", "http://",
		"http://127.0.0.1:1"} {
		if _, err := score.Run(t.Context(), address, do); err == nil {
			t.Errorf("%q has a score", address)
		}
	}
}

// Run returns a report, no matter what a site sends.
func FuzzAnswers(f *testing.F) {
	for _, seed := range []string{"", "<html><h1>x", "---\n[a](b)",
		`{"skills":[{}],"linkset":[{}],"remotes":[{}],"result":{"serverInfo":{"name":"x"}}}`,
		"<urlset><url><loc>/a</loc></url></urlset>",
		"<sitemapindex><sitemap><loc>/sitemap.xml</loc></sitemap></sitemapindex>", "user-agent: *\ndisallow: /",
		"data: {}\n\n", "](%zz) ](http://x/%41)"} {
		f.Add([]byte(seed), "text/html")
		f.Add([]byte(seed), "text/plain")
		f.Add([]byte(seed), "text/event-stream")
	}
	f.Fuzz(func(t *testing.T, body []byte, kind string) {
		asked := 0
		r, err := score.Run(t.Context(), "http://docs.example.com/base",
			func(context.Context, score.Request) (score.Response, error) {
				asked++
				return score.Response{Status: 200, Header: http.Header{"Content-Type": {kind}, "Link": {string(body)}},
					Body: bytes.Clone(body)}, nil
			})
		if err != nil || len(r.Checks) != 20 || asked > 300 {
			t.Fatalf("%v after %d requests", err, asked)
		}
	})
}
