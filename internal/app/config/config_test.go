package config

import (
	"bytes"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

var update = flag.Bool("update", false, "write the generated docs page")

// wantFault checks that err is a fault with the given code and field, and that its text contains the given texts.
func wantFault(t *testing.T, err error, code, field string, texts ...string) {
	t.Helper()
	f, ok := fault.As(err)
	if !ok {
		t.Fatalf("want a fault with code %s, have %v", code, err)
	}
	if f.Code != code || f.Field != field {
		t.Errorf("fault has code %q and field %q, want %q and %q", f.Code, f.Field, code, field)
	}
	for _, text := range texts {
		if all := f.Error() + "\n" + f.Hint; !strings.Contains(all, text) {
			t.Errorf("%q does not name %q", all, text)
		}
	}
}

func TestSettingNamesAreDerivedFromTheKey(t *testing.T) {
	typ := reflect.TypeFor[Server]()
	seen := map[string]bool{}
	for _, s := range Reference() {
		f := typ.Field(s.index)
		if s.name == "" || s.Help == "" || s.Group == "" || seen[s.Env] {
			t.Errorf("%s: key %q, group %q and help %q must be given, and the variable %s not twice", f.Name, s.name,
				s.Group, s.Help, s.Env)
		}
		seen[s.Env] = true
		if want := strings.ReplaceAll(s.name, ".", "-"); s.Flag != "" && f.Tag.Get("name") != want {
			t.Errorf("%s: flag name %q, want %q", f.Name, f.Tag.Get("name"), want)
		}
		if f.Tag.Get("secret") == "env" != (f.Tag.Get("kong") == "-") {
			t.Errorf("%s: a secret must have no flag, and only a secret", f.Name)
		}
		if strings.ContainsAny(s.Help, "${}<>`\"") {
			t.Errorf("%s: the help text has a character that the command line or the docs page would read as syntax",
				f.Name)
		}
	}
}

func TestDefaultsAreValid(t *testing.T) {
	s := Defaults()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	if s.Data != "./lectern-data" || s.Listen != "127.0.0.1:8080" || s.JobLease != 15*time.Second ||
		s.RateLimit != 6000 || s.DeploymentType != "client-hosted" {
		t.Errorf("defaults are not the documented ones: %+v", s)
	}
}

func TestBadValueErrorsNameTheKey(t *testing.T) {
	for name, c := range map[string]struct {
		key    string
		change func(*Server)
	}{
		"unknown deployment type":    {"deployment.type", func(s *Server) { s.DeploymentType = "orbit" }},
		"search has no auto":         {"features.search", func(s *Server) { s.FeaturesSearch = "auto" }},
		"analytics has no local":     {"features.analytics", func(s *Server) { s.FeaturesAnalytics = "local" }},
		"assistant cannot be on":     {"features.assistant", func(s *Server) { s.FeaturesAssistant = "on" }},
		"listen without port":        {"listen", func(s *Server) { s.Listen = "localhost" }},
		"listen with a service name": {"listen", func(s *Server) { s.Listen = "localhost:http" }},
		"metrics port too large":     {"metrics.listen", func(s *Server) { s.MetricsListen = ":70000" }},
		"no data folder":             {"data", func(s *Server) { s.Data = "" }},
		"public URL without scheme":  {"public-url", func(s *Server) { s.PublicURL = "lectern.example.com" }},
		"public URL with path":       {"public-url", func(s *Server) { s.PublicURL = "https://example.com/docs" }},
		"collector not HTTP": {"otel.endpoint",
			func(s *Server) { s.OtelEndpoint = "grpc://collector:4317" }},
		"model endpoint not HTTP": {"assistant.endpoint",
			func(s *Server) { s.AssistantEndpoint = "file:///model" }},
		"preview domain with port": {"preview-domain",
			func(s *Server) { s.PreviewDomain = "preview.localhost:8080" }},
		"another database":      {"database", func(s *Server) { s.Database = "mysql://user:hunter2@db/x" }},
		"another blob store":    {"blob", func(s *Server) { s.Blob = "gs://bucket" }},
		"misspelt part of blob": {"blob", func(s *Server) { s.Blob = "s3://bucket?regoin=x" }},
		"keys in the blob's endpoint": {"blob",
			func(s *Server) { s.Blob = "s3://bucket?endpoint=http%3A%2F%2Fid%3Ahunter2%40h" }},
		"bad endpoint with a key": {"blob",
			func(s *Server) { s.Blob = "s3://bucket?endpoint=ftp%3A%2F%2Fid%3Ahunter2%40h" }},
		"keys in blob": {"blob", func(s *Server) { s.Blob = "s3://id:hunter2@bucket" }},
		"short secret": {"secret-key", func(s *Server) { s.SecretKey = "hunter2" }},
		"short earlier secret": {"secret-key-previous",
			func(s *Server) { s.SecretKeyPrevious = []string{"hunter2"} }},
		"proxy is a name": {"trusted-proxies",
			func(s *Server) { s.TrustedProxies = []string{"proxy"} }},
		"allowed address has a path": {"allow-address",
			func(s *Server) { s.AllowAddress = []string{"host/path"} }},
		"code host of no kind": {"forge.hosts",
			func(s *Server) { s.ForgeHosts = []string{"git.example.com=svn"} }},
		"code host with a key": {"forge.hosts",
			func(s *Server) { s.ForgeHosts = []string{"git.example.com=gitea@https://u:hunter2@h"} }},
		"origin with path": {"playground.origins",
			func(s *Server) { s.PlaygroundOrigins = []string{"https://a.example/x"} }},
		"open suffix with a wildcard": {"domains.open",
			func(s *Server) { s.DomainsOpen = []string{"*.example.com"} }},
		"open suffix, no name of its own": {"domains.open",
			func(s *Server) { s.DomainsOpen = []string{"localhost", "sites.example.com"} }},
		"names are never reserved":   {"domains.reserve", func(s *Server) { s.DomainsReserve = 0 }},
		"names reserved for ever":    {"domains.reserve", func(s *Server) { s.DomainsReserve = 9000 * time.Hour }},
		"name server without a port": {"domains.resolver", func(s *Server) { s.DomainsResolver = "10.0.0.53" }},
		"link life over seven days":  {"export.link-life", func(s *Server) { s.ExportLinkLife = 169 * time.Hour }},
		"no page may vanish":         {"publish.max-removed", func(s *Server) { s.PublishMaxRemoved = 0 }},
		"more pages than all":        {"publish.max-removed", func(s *Server) { s.PublishMaxRemoved = 101 }},
		"negative pages":             {"export.max-pages", func(s *Server) { s.ExportMaxPages = -1 }},
		"negative bytes":             {"export.max-bytes", func(s *Server) { s.ExportMaxBytes = -1 }},
		"an instant for an export":   {"export.max-time", func(s *Server) { s.ExportMaxTime = time.Millisecond }},
		"negative exports running": {"export.max-running-per-organization",
			func(s *Server) { s.ExportMaxRunning = -1 }},
		"negative exports waiting": {"export.max-queued-per-organization",
			func(s *Server) { s.ExportMaxQueued = -1 }},
		"bundles that hardly stay": {"export.keep-for", func(s *Server) { s.ExportKeepFor = time.Second }},
		"negative quota":           {"export.max-stored-bytes", func(s *Server) { s.ExportMaxStoredBytes = -1 }},
		"negative rate":            {"rate-limit", func(s *Server) { s.RateLimit = -1 }},
		"cache of a few bytes":     {"cache.max-bytes", func(s *Server) { s.CacheMaxBytes = 1000 }},
		"negative workers":         {"workers", func(s *Server) { s.Workers = -1 }},
		"poll too often": {"git.poll-interval",
			func(s *Server) { s.GitPollInterval = time.Millisecond }},
		"lease too long for a minute":   {"job.lease", func(s *Server) { s.JobLease = time.Minute }},
		"heartbeat near the lease":      {"job.heartbeat", func(s *Server) { s.JobHeartbeat = 10 * time.Second }},
		"negative grace":                {"shutdown-grace", func(s *Server) { s.ShutdownGrace = -1 }},
		"negative delay":                {"shutdown-delay", func(s *Server) { s.ShutdownDelay = -1 }},
		"endless delay":                 {"shutdown-delay", func(s *Server) { s.ShutdownDelay = time.Hour }},
		"repositories without a server": {"repositories", func(s *Server) { s.Repositories = "/srv/repositories" }},
		"no room for sites":             {"site.cache", func(s *Server) { s.SiteCache = 1000 }},
	} {
		t.Run(name, func(t *testing.T) {
			s := Defaults()
			c.change(&s)
			err := s.Validate()
			wantFault(t, err, "bad_setting", c.key, c.key, EnvName(c.key))
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the message shows a secret: %v", err) // K9
			}
		})
	}
}

func TestOpenSuffixesAreNormalized(t *testing.T) {
	s := Defaults()
	if got := s.DomainPolicy(); !got.IsOpen("docs.localhost") || got.ReserveFor() != 720*time.Hour {
		t.Errorf("by default: %+v", got)
	}
	s.DomainsOpen = []string{"Sites.Corp.Example"}
	if got := s.DomainPolicy(); !got.IsOpen("docs.sites.corp.example") || got.IsOpen("docs.localhost") {
		t.Errorf("%+v", got)
	}
}

func TestGoodValuesAreAccepted(t *testing.T) {
	s := Defaults()
	s.Listen, s.MetricsListen = "[::1]:0", "off"
	s.PublicURL = "https://lectern.example.com/"
	s.Database = "postgres://u:p@db:5432/lectern?sslmode=require"
	s.Blob = "s3://bucket/a/b?region=eu-1&endpoint=http%3A%2F%2F127.0.0.1%3A9000&path-style=true"
	s.AllowAddress = []string{"10.0.0.0/8", "fd00::1", "git.internal", "127.0.0.1"}
	s.TrustedProxies = []string{"10.1.2.3/8", "::ffff:192.0.2.1"}
	s.PlaygroundOrigins = []string{"https://api.example.com", "http://localhost:9000"}
	s.ExportLinkLife, s.GitPollInterval = 168*time.Hour, 0
	s.SecretKey = strings.Repeat("k", 32)
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	place, on, err := s.OnS3()
	if want := (S3{Bucket: "bucket", Prefix: "a/b", Region: "eu-1", Endpoint: "http://127.0.0.1:9000",
		PathStyle: true}); err != nil || !on || place != want {
		t.Errorf("OnS3() = %+v, %v, %v, want %+v", place, on, err, want)
	}
	proxies, err := s.Proxies()
	if err != nil || fmt.Sprint(proxies) != "[10.0.0.0/8 192.0.2.1/32]" {
		t.Errorf("Proxies() = %v, %v", proxies, err)
	}
}

// With auto, local sources are off if anything but this machine may be able to reach the server.
func TestUnrestrictedLocalSourcesNeedALoopbackServer(t *testing.T) {
	for _, c := range []struct {
		setting, listen, public string
		proxies                 []string
		want                    bool
	}{
		{"auto", "127.0.0.1:8080", "", nil, true}, {"auto", "localhost:8080", "", nil, true},
		{"auto", "[::1]:8080", "", nil, true}, {"auto", "127.8.9.1:1", "", nil, true},
		{"auto", "127.0.0.1:8080", "http://localhost:8080", nil, true}, {"auto", "127.0.0.1:8080",
			"http://lectern.localhost", nil, true}, {"auto", "127.0.0.1:8080", "http://[::1]:80", nil, true},
		{"auto", ":8080", "", nil, false}, {"auto", "0.0.0.0:8080", "", nil, false},
		{"auto", "[::]:8080", "", nil, false}, {"auto", "192.0.2.1:8080", "", nil, false},
		{"auto", "localhost.example.com:80", "", nil, false}, {"auto", "docs.localhost:80", "", nil, false},
		{"auto", "127.0.0.1:8080", "https://lectern.example.com", nil, false},
		{"auto", "127.0.0.1:8080", "http://localhost.example.com", nil, false},
		{"auto", "127.0.0.1:8080", "", []string{"127.0.0.1"}, false},
		{"auto", "127.0.0.1:8080", "http://localhost", []string{"10.0.0.0/8"}, false},
		{"on", "0.0.0.0:8080", "https://lectern.example.com", []string{"10.0.0.0/8"}, true},
		{"off", "127.0.0.1:8080", "", nil, false}, {"roots", "127.0.0.1:8080", "", nil, false},
	} {
		s := Server{SourcesLocal: c.setting, Listen: c.listen, PublicURL: c.public, TrustedProxies: c.proxies}
		if got, why := s.LocalAnywhere(); got != c.want || (why == "") != c.want {
			t.Errorf("%+v: %v %q", c, got, why)
		}
	}
}

func TestEachSourceRootBelongsToOneOrganization(t *testing.T) {
	a, b := "org_aaaaaaaaaaaaaaaaaaaaaaaaaa", "org_bbbbbbbbbbbbbbbbbbbbbbbbbb"
	s := Defaults()
	s.SourcesRoots = []string{a + "=/srv/a", a + "=/srv/a/inner", b + "=/srv/ab"}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	if roots := s.LocalRoots(); len(roots) != 3 || roots[2].Organization != b || roots[2].Path != "/srv/ab" {
		t.Errorf("%+v", roots)
	}
	if s.SourcesLocal = "off"; s.LocalRoots() != nil {
		t.Error("the roots are usable although local sources are off")
	}
	for _, bad := range [][]string{{"/srv/a"}, {"acme=/srv/a"}, {a + "=srv"}, {a + "=/"}, {a + "=/srv/../etc"},
		{a + "=/srv/a/"}, {a + "=/srv/a", b + "=/srv/a"},
		{a + "=/srv", b + "=/srv/b"}, {a + "=/srv/b/c", b + "=/srv/b"}} {
		s := Defaults()
		s.SourcesRoots = bad
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "sources.roots") {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestBaseURLDefaultsToTheListeningAddress(t *testing.T) {
	for _, c := range []struct{ set, listening, want string }{
		{"https://l.example.com/", "127.0.0.1:1", "https://l.example.com"},
		{"", "127.0.0.1:8080", "http://127.0.0.1:8080"},
		{"", "[::]:8080", "http://localhost:8080"},
		{"", "[::1]:8080", "http://[::1]:8080"},
	} {
		addr, err := net.ResolveTCPAddr("tcp", c.listening)
		if err != nil {
			t.Fatal(err)
		}
		s := Server{PublicURL: c.set}
		if got := s.BaseURL(addr); got != c.want {
			t.Errorf("public-url %q, listening on %s: %s, want %s", c.set, c.listening, got, c.want)
		}
	}
}

func TestWorkerCountDefaultsToProcessors(t *testing.T) {
	for _, c := range [][3]int{{0, 1, 2}, {0, 8, 8}, {1, 8, 1}} {
		if got := (&Server{Workers: c[0]}).WorkerCount(c[1]); got != c[2] {
			t.Errorf("workers %d on %d processors: %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

// K9: settings may be logged and printed, and must then show no secret.
func TestPrintingSettingsShowsNoSecret(t *testing.T) {
	s := Defaults()
	s.Database, s.SecretKey, s.S3SecretKey = "postgres://u:hunter2@db/lectern", "hunter2-secret-key", "hunter2"
	s.SecretKeyPrevious = []string{"hunter2-old"}
	s.RateLimit = 5
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("settings", "server", s)
	for form, text := range map[string]string{"log": log.String(), "%v": fmt.Sprintf("%v", s),
		"%+v": fmt.Sprintf("%+v", &s), "%#v": fmt.Sprintf("%#v", s)} {
		if strings.Contains(text, "hunter2") {
			t.Errorf("%s shows a secret: %s", form, text)
		}
		if !strings.Contains(text, "rate-limit") || !strings.Contains(text, "postgres://db/lectern") {
			t.Errorf("%s lost a value that is not a secret: %s", form, text)
		}
		if strings.Contains(text, "shutdown-grace") {
			t.Errorf("%s lists a setting left at its default: %s", form, text)
		}
	}
}

func TestSettingsReferenceIsUpToDate(t *testing.T) {
	page := filepath.Join("..", "..", "..", "docs", "reference", "configuration.mdx")
	if *update {
		if err := os.MkdirAll(filepath.Dir(page), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(page, Markdown(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, Markdown()) {
		t.Error(
			"docs/reference/configuration.mdx is not what the settings say: run `go test ./internal/app/config -update`")
	}
	for _, s := range Reference() {
		if !bytes.Contains(have, []byte("`"+s.Env+"`")) {
			t.Errorf("the page lacks %s", s.Env)
		}
	}
}
