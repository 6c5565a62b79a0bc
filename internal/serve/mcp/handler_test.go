package mcp_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/serve/mcp"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

const long = 70_000 // length of the longest page in characters

var siteFiles = map[string]string{
	"docs.json":        `{"name":"Acme Rockets","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index","guides/start","guides/long"]}}`,
	"index.mdx":        "---\ntitle: Home\n---\nWelcome.\n",
	"guides/start.mdx": "---\ntitle: Start\n---\n## Install the thruster\n\nBolt the thruster to the fuselage with four screws.\n",
	"guides/long.mdx":  "---\ntitle: Long\n---\n" + strings.Repeat("wörd ", long/5) + "the-very-end\n",
	"secret.mdx":       "---\ntitle: Secret\ngroups: [staff]\n---\ncanary-7c1 thruster\n",
}

// world is two published sites behind a real listener.
type world struct {
	*worktest.Env
	address string
}

func newWorld(t *testing.T, opt mcp.Options) *world {
	t.Helper()
	w := &world{Env: worktest.New(t)}
	opt.Now, opt.Version, opt.Logger = time.Now, "1.2.3", slog.New(slog.DiscardHandler)
	host := sitehost.New(sitehost.Options{Sites: w.Store, Blob: w.Blob, CacheBytes: 1 << 22,
		Logger: slog.New(slog.DiscardHandler), Now: time.Now, Agents: mcp.New(opt)})
	server := httptest.NewServer(host.Route(http.NotFoundHandler(), func(h http.Handler) http.Handler { return h }))
	t.Cleanup(server.Close)
	w.address = server.Listener.Addr().String()
	other := map[string]string{"docs.json": strings.Replace(siteFiles["docs.json"], "Acme Rockets", "Other", 1),
		"index.mdx": "# Other\n\ncanary-of-other\n"}
	for domain, files := range map[string]map[string]string{"docs.example.com": siteFiles, "other.example.com": other} {
		p := w.Project(t, domain, project.Source{Path: worktest.Write(t, files)})
		w.QueueDeployment(t, p, deploy.Production, "")
		pub := &publish.Publisher{Store: w.Store, Blob: w.Blob, Source: w.Source, Scratch: w.Scratch,
			SiteURL: func(d string) string { return "https://" + d }, Offers: capability.Offers{Search: true},
			Lease: worktest.Lease, Now: w.Now}
		if err := pub.Run(t.Context(), w.Take(t)); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// client returns a client that connects to the listener for every host name.
func (w *world) client() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn,
		error) {
		var d net.Dialer
		return d.DialContext(ctx, network, w.address)
	}}}
}

// connect connects to a site with the protocol library's own client.
func (w *world) connect(t *testing.T, host string) *sdk.ClientSession {
	t.Helper()
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	s, err := c.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: "http://" + host + "/mcp",
		HTTPClient: w.client(), DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func call(t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) (text string, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Content {
		text += c.(*sdk.TextContent).Text
	}
	return text, r.IsError
}

func TestAgentCanSearchAndReadSite(t *testing.T) {
	w := newWorld(t, mcp.Options{})
	s := w.connect(t, "docs.example.com")
	if info := s.InitializeResult().ServerInfo; info.Title != "Acme Rockets" || info.Name != "acme-rockets" ||
		info.Version != "1.2.3" {
		t.Errorf("%+v", info)
	}
	list, err := s.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 2 {
		t.Fatalf("%+v %v", list, err)
	}
	found, failed := call(t, s, "search_docs", map[string]any{"query": "thruster screws"})
	if failed || !strings.Contains(found, "/guides/start") || !strings.Contains(found, "four screws") {
		t.Errorf("search: %s", found)
	}
	// A page that starts with a heading, found by its title.
	if found, failed = call(t, s, "search_docs", map[string]any{"query": "start"}); failed ||
		!strings.HasPrefix(found, "## Start\n\nPath: /guides/start\n") || !strings.Contains(found, "four screws") {
		t.Errorf("search by title: %s", found)
	}
	page, failed := call(t, s, "read_page", map[string]any{"path": "https://docs.example.com/guides/start#install"})
	if failed || !strings.HasPrefix(page, "# Start") || !strings.Contains(page, "Bolt the thruster") {
		t.Errorf("page: %s", page)
	}
	if text, failed := call(t, s, "read_page", map[string]any{"path": "/guides/none"}); !failed ||
		!strings.Contains(text, "Page not found") {
		t.Errorf("unknown page: %s", text)
	}
	if text, failed := call(t, s, "search_docs", map[string]any{"query": " "}); !failed {
		t.Errorf("empty query: %s", text)
	}
	if _, err := s.CallTool(t.Context(),
		&sdk.CallToolParams{Name: "search_docs", Arguments: map[string]any{"queri": "x"}}); err == nil {
		if text, failed := call(t, s, "search_docs", map[string]any{"queri": "x"}); !failed {
			t.Errorf("a wrong argument: %s", text)
		}
	}
}

func TestLongPageIsReadInParts(t *testing.T) {
	s := newWorld(t, mcp.Options{}).connect(t, "docs.example.com")
	offset, parts := 0, 0
	for {
		text, failed := call(t, s, "read_page", map[string]any{"path": "/guides/long", "offset": offset})
		if parts++; failed || len([]rune(text)) > 30_200 || parts > 5 {
			t.Fatalf("part %d: %d characters", parts, len([]rune(text)))
		}
		if strings.Contains(text, "the-very-end") {
			break
		}
		if !strings.Contains(text, "The page continues") {
			t.Fatalf("part %d does not say how to continue", parts)
		}
		offset += 30_000
	}
	if parts != 3 {
		t.Errorf("%d parts", parts)
	}
	if text, failed := call(t, s, "read_page", map[string]any{"path": "/guides/long", "offset": 1 << 40}); failed ||
		strings.TrimSpace(text) != "" {
		t.Errorf("beyond the end: %.50s", text)
	}
	if text, failed := call(t, s, "read_page", map[string]any{"path": "/guides/long", "offset": -5}); failed ||
		!strings.HasPrefix(text, "# Long") {
		t.Errorf("before the beginning: %.50s", text)
	}
}

// C3, C7: one site's server returns neither another site's pages nor pages restricted to certain readers.
func TestServerExposesOnlyItsOwnPublicPages(t *testing.T) {
	w := newWorld(t, mcp.Options{})
	mine, other := w.connect(t, "docs.example.com"), w.connect(t, "other.example.com")
	for _, c := range []struct {
		s           *sdk.ClientSession
		tool, value string
	}{
		{mine, "read_page", "/secret"}, {mine, "read_page", "secret.md"}, {mine, "read_page", "../secret"},
		{mine, "search_docs", "canary-7c1"},
		{other, "read_page", "/guides/start"}, {other, "read_page", "http://docs.example.com/guides/start"},
		{other, "search_docs", "thruster"},
		{mine, "search_docs", "canary-of-other"},
	} {
		arg := "path"
		if c.tool == "search_docs" {
			arg = "query"
		}
		text, _ := call(t, c.s, c.tool, map[string]any{arg: c.value})
		for _, canary := range []string{"canary-7c1 thruster", "Bolt the thruster", "canary-of-other\n"} {
			if strings.Contains(text, canary) {
				t.Errorf("%s %q shows %q", c.tool, c.value, canary)
			}
		}
	}
}

func TestPagesAndListsAreResources(t *testing.T) {
	s := newWorld(t, mcp.Options{}).connect(t, "docs.example.com")
	list, err := s.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) == 0 || list.Resources[0].URI != "docs:///llms.txt" {
		t.Fatalf("%+v %v", list, err)
	}
	for uri, want := range map[string]string{"docs:///llms.txt": "# Acme Rockets", "docs:///guides/start": "# Start"} {
		r, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil || !strings.HasPrefix(r.Contents[0].Text, want) {
			t.Errorf("%s: %+v %v", uri, r, err)
		}
	}
	for _, uri := range []string{"docs:///secret", "docs:///none", "file:///etc/passwd"} {
		if r, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s: %+v", uri, r.Contents)
		}
	}
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

func (w *world) send(t *testing.T, method, host, body string, header ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+host+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := w.client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

func TestHandlerEnforcesLimits(t *testing.T) {
	w := newWorld(t, mcp.Options{PerAddress: 3})
	if r := w.send(t, "POST", "docs.example.com",
		strings.Repeat(" ", 300<<10)); r.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body: %d", r.StatusCode)
	}
	if r := w.send(t, "POST", "docs.example.com", "{"); r.StatusCode != http.StatusBadRequest {
		t.Errorf("no JSON: %d", r.StatusCode)
	}
	if r := w.send(t, "POST", "docs.example.com", ping); r.StatusCode != 200 {
		t.Errorf("the third request: %d", r.StatusCode)
	}
	if r := w.send(t, "POST", "other.example.com", ping); r.StatusCode != http.StatusTooManyRequests ||
		r.Header.Get("Retry-After") == "" {
		t.Errorf("one request too many: %d", r.StatusCode)
	}
	for _, method := range []string{"GET", "DELETE", "PUT"} {
		if r := w.send(t, method, "docs.example.com", ""); r.StatusCode != http.StatusMethodNotAllowed ||
			r.Header.Get("Allow") != "POST, OPTIONS" {
			t.Errorf("%s: %d", method, r.StatusCode)
		}
	}
}

func TestToolCallsAreLimitedPerSite(t *testing.T) {
	w := newWorld(t, mcp.Options{PerTool: 2})
	s := w.connect(t, "docs.example.com")
	for i, want := range []bool{false, false, true} {
		if text, failed := call(t, s, "read_page", map[string]any{"path": "/"}); failed != want {
			t.Errorf("call %d: %s", i, text)
		}
	}
	if text, failed := call(t, s, "search_docs", map[string]any{"query": "thruster"}); failed {
		t.Errorf("the other tool: %s", text)
	}
	if text, failed := call(t, w.connect(t, "other.example.com"), "read_page", map[string]any{"path": "/"}); failed {
		t.Errorf("the other site: %s", text)
	}
}

// Any page may send requests to a public site. Only pages from the reader's own machine may send requests to a site on
// that machine, whatever host name a hostile page uses.
func TestOriginsAreChecked(t *testing.T) {
	w := newWorld(t, mcp.Options{})
	p := w.Project(t, "docs.localhost", project.Source{Path: worktest.Write(t, siteFiles)})
	w.QueueDeployment(t, p, deploy.Production, "")
	pub := &publish.Publisher{Store: w.Store, Blob: w.Blob, Source: w.Source, Scratch: w.Scratch,
		SiteURL: func(d string) string { return "http://" + d }, Offers: capability.Offers{Search: true},
		Lease: worktest.Lease, Now: w.Now}
	if err := pub.Run(t.Context(), w.Take(t)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		host, origin string
		status       int
	}{
		{"docs.example.com", "https://client.example", 200}, {"docs.example.com", "null", 403},
		{"docs.example.com", "file://", 403},
		{"docs.localhost", "http://localhost:3000", 200}, {"docs.localhost", "http://127.0.0.1:3000", 200},
		{"docs.localhost", "https://evil.example", 403},
		{"docs.localhost", "http://localhost.evil.example", 403}, {"evil.example", "http://evil.example", 404},
	} {
		r := w.send(t, "POST", c.host, ping, "Origin", c.origin)
		if r.StatusCode != c.status || c.status == 200 && r.Header.Get("Access-Control-Allow-Origin") != c.origin {
			t.Errorf("%s from %s: %d %v", c.host, c.origin, r.StatusCode, r.Header)
		}
	}
	if r := w.send(t, "OPTIONS", "docs.example.com", "", "Origin", "https://client.example",
		"Access-Control-Request-Method", "POST"); r.StatusCode != 204 ||
		!strings.Contains(r.Header.Get("Access-Control-Allow-Headers"), "Mcp-Protocol-Version") {
		t.Errorf("preflight request: %d %v", r.StatusCode, r.Header)
	}
}

func TestLocalAgentCanReadOverStreams(t *testing.T) {
	built := buildSite(t, siteFiles)
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- mcp.Run(ctx, built.Library(), "1", slog.New(slog.DiscardHandler), toServer, fromServer)
	}()
	s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if page, failed := call(t, s, "read_page", map[string]any{"path": "guides/start"}); failed ||
		!strings.Contains(page, "Bolt the thruster") {
		t.Errorf("page: %s", page)
	}
	_ = s.Close()
	cancel()
	_ = fromClient.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
