package e2e

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/testkit/otlpreceiver"
)

// canaries maps kinds of secrets to values that must not appear anywhere.
type canaries map[string]string

// scan fails the test if the bytes contain any twelve characters of a canary.
func (c canaries) scan(t *testing.T, where string, raw []byte) {
	t.Helper()
	for name, secret := range c {
		for i := 0; i+12 <= len(secret); i++ {
			if bytes.Contains(raw, []byte(secret[i:i+12])) {
				t.Errorf("%s contains a part of the %s", where, name)
				break
			}
		}
	}
}

// careless sends secrets wherever a careless caller could put them, and reads every response.
type careless struct {
	t    *testing.T
	base string
	http *http.Client
	all  [][]byte // refusals, except those of the dashboard, whose forms repeat the input
}

func (c *careless) send(method, address, body string, header map[string]string) *http.Response {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.base+address, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	for name, v := range header {
		req.Header.Set(name, v)
	}
	res, err := c.http.Do(req)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, address, err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if res.StatusCode >= 400 && !strings.HasPrefix(address, "/dashboard/") {
		c.all = append(c.all, raw)
	}
	return res
}

func (c *careless) form(address string, values url.Values) *http.Response {
	return c.send("POST", address, values.Encode(),
		map[string]string{"Content-Type": "application/x-www-form-urlencoded"})
}

var parameter = regexp.MustCompile(`\{[^}]*\}`)

// everyRoute sends malformed requests with a key to every operation, and correct ones to read-only operations.
func (c *careless) everyRoute(key string, ids map[string]string) {
	bearer := map[string]string{"Authorization": "Bearer " + key, "Content-Type": "application/json"}
	for _, r := range adminapi.Routes() {
		wrong := parameter.ReplaceAllString(r.Pattern, key)
		c.send(r.Method, wrong, `{"key":"`+key+`"}`, bearer)
		c.send(r.Method, wrong+"?key="+key+"&token="+key, `{"key":"`+key, bearer)
		c.send("PUT", wrong, key, bearer)
		c.send(r.Method, wrong, key,
			map[string]string{"Authorization": "Basic " + key, "Cookie": "lectern_session=" + key})
		c.send(r.Method, wrong, key, map[string]string{"Authorization": "Bearer " + key + "x", "Content-Type": key,
			"User-Agent": key, "Referer": c.base + "/" + key})
		if r.Method == "GET" {
			right := parameter.ReplaceAllStringFunc(r.Pattern, func(name string) string { return ids[name] })
			c.send("GET", right, "", bearer)
		}
	}
}

// K9: keys, webhook secrets, session tokens, invitation links, passwords and signed links are sent to every endpoint,
// correctly and incorrectly. None of them appears in the debug log, in exported traces, metrics and logs, in refusals,
// in the database, in stored files or in bundles.
func TestSecretsAppearInNoOutput(t *testing.T) {
	t.Parallel()
	sent := otlpreceiver.New(t)
	data := t.TempDir()
	p := serve(t, data, nil, "--log-level", "debug", "--otel-endpoint", sent.HTTP,
		"--otel-signals", "traces,metrics,logs", "--first-site", "off", "--first-secrets", "off")
	key := command(t, nil, "keys", "create", "--data", data, "--scope", "read,write,admin,discovery", "--label",
		"canary label")
	c := p.client(key)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	made, err := c.CreateProject(t.Context(),
		client.CreateProject{Name: "Canary", Domain: "canary.localhost", Source: client.SourceInput{Path: site(t, 2)}})
	must(err)
	hook, err := c.UpdateProject(t.Context(), made.ProjectID, client.UpdateProject{RotateWebhookSecret: true})
	must(err)
	job, err := c.StartExport(t.Context(), client.StartExport{Domain: "canary.localhost"})
	must(err)
	job, err = c.WaitExport(t.Context(), job.JobID, nil)
	must(err)
	child, err := c.CreateKey(t.Context(), client.CreateKey{Label: "child"})
	must(err)
	invited, err := c.CreateInvitation(t.Context(), client.CreateInvitation{Email: "person@example.com", Role: "admin"})
	must(err)
	unused, err := c.CreateInvitation(t.Context(), client.CreateInvitation{Email: "later@example.com", Role: "viewer"})
	must(err)

	jar, err := cookiejar.New(nil)
	must(err)
	person := &careless{t: t, base: p.url, http: &http.Client{Jar: jar}}
	token, later := tokenOf(t, invited.URL), tokenOf(t, unused.URL)
	const password = "canary beneath the harbour lamp"
	person.send("GET", "/dashboard/join?token="+token, "", nil)
	person.send("GET", "/dashboard/new-password?token="+later, "", nil)
	person.form("/dashboard/join", url.Values{"token": {token + "x"}, "password": {password}})
	person.form("/dashboard/join", url.Values{"token": {token}, "name": {"Person"}, "password": {password}})
	session := cookieOf(t, jar, p.url, "lectern_session")
	for _, page := range []string{"/dashboard/", "/dashboard/projects", "/dashboard/settings/keys",
		"/dashboard/settings/members", "/dashboard/settings/audit", "/dashboard/account",
		"/dashboard/" + session, "/dashboard/projects/" + session, "/dashboard/join?token=" + later} {
		person.send("GET", page, "", nil)
	}
	person.form("/dashboard/account/password",
		url.Values{"csrf": {session}, "current": {password}, "password": {password}})
	stranger := &careless{t: t, base: p.url, http: &http.Client{}}
	stranger.form("/dashboard/sign-in", url.Values{"email": {password}, "password": {password}})
	stranger.form("/dashboard/sign-in", url.Values{"email": {"person@example.com"}, "password": {password + "x"}})
	stranger.send("GET", "/dashboard/", "",
		map[string]string{"Cookie": "lectern_session=" + session + "x; lectern_device=" + session})
	ids := map[string]string{"{projectId}": made.ProjectID, "{jobId}": job.JobID, "{statusId}": "dep_none",
		"{id}": "aj_none", "{proposalId}": "prop_none", "{threadId}": "thr_none"}
	stranger.everyRoute(key, ids)
	stranger.everyRoute(child.Secret, ids)
	const credential = "canarycredentialofarepository"
	stranger.send("POST", "/v1/projects", `{"name":"x","domain":"x.localhost","source":{"repository":"https://bot:`+
		credential+`@git.example.com/a/b.git"}}`,
		map[string]string{"Authorization": "Bearer " + key, "Content-Type": "application/json"})
	stranger.send("POST", "/v1/webhook/"+made.ProjectID, `{"secret":"`+*hook.WebhookSecret+`"}`,
		map[string]string{"Content-Type": "application/json", "X-Gitlab-Token": *hook.WebhookSecret + "x",
			"X-Gitlab-Event": "Push Hook"})

	found := canaries{"key": key[8:], "child key": child.Secret[8:], "webhook secret": (*hook.WebhookSecret)[6:],
		"invitation": token, "unused invitation": later, "session": session, "password": password,
		"credential": credential}
	for _, format := range []client.BundleFormat{client.BundleFormatTarGz, client.BundleFormatZip} {
		link, err := c.CreateExportBundle(t.Context(), job.JobID, client.CreateExportBundleParams{Format: format})
		must(err)
		u, err := url.Parse(link.BundleURL)
		must(err)
		found["link to "+string(format)] = u.Query().Get("sig")
		stranger.send("GET", u.Path+"x?"+u.RawQuery, "", nil)
		stranger.send("POST", u.RequestURI(), "", nil)
		found.scanArchive(t, p.url+u.RequestURI())
	}
	p.Stop()

	log := p.Output()
	if !strings.Contains(log, "level=DEBUG") && !strings.Contains(log, `"DEBUG"`) ||
		!strings.Contains(log, "sign-in failed") {
		t.Errorf("this test checks the wrong file: %d bytes of log", len(log))
	}
	exported := sent.Text()
	spans, _ := sent.Spans()
	metrics, _ := sent.Metrics()
	if spans["/v1/projects"] == nil || metrics["lectern_http_requests_total"] == nil ||
		!strings.Contains(exported, "sign-in failed") {
		t.Errorf("this test checks the wrong receiver: %d spans, %d metrics, %d log records were exported",
			len(spans), len(metrics), len(sent.Logs()))
	}
	found.scan(t, "the log", []byte(log))
	found.scan(t, "what was exported", []byte(exported))
	found.scan(t, "a refusal", bytes.Join(stranger.all, []byte("\n")))
	stored := found.scanFolder(t, data)
	if !bytes.Contains(stored, []byte("canary label")) || !bytes.Contains(stored, []byte(key[:12])) {
		t.Error(
			"this test looks in the wrong place: the database has neither the label nor the visible part of the key")
	}
}

func tokenOf(t *testing.T, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil || u.Query().Get("token") == "" {
		t.Fatalf("link %s: %v", link, err)
	}
	return u.Query().Get("token")
}

func cookieOf(t *testing.T, jar http.CookieJar, address, name string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range jar.Cookies(u) {
		if c.Name == name {
			return c.Value
		}
	}
	t.Fatalf("no cookie %s", name)
	return ""
}

// scanFolder scans every file of a folder and returns the bytes of the database.
func (c canaries) scanFolder(t *testing.T, dir string) (database []byte) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		c.scan(t, name, raw)
		if strings.Contains(filepath.Base(name), ".db") {
			database = append(database, raw...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return database
}

// scanArchive scans every file of a bundle.
func (c canaries) scanArchive(t *testing.T, link string) {
	t.Helper()
	res, err := http.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("bundle: %d (error %v)", res.StatusCode, err)
	}
	files := 0
	look := func(name string, r io.Reader) {
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files++
		c.scan(t, "the bundle's "+name, append([]byte(name+"\n"), body...))
	}
	if z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw))); err == nil {
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			look(f.Name, r)
		}
	} else {
		unpacked, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		for r := tar.NewReader(unpacked); ; {
			h, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			look(h.Name, r)
		}
	}
	if files < 3 {
		t.Fatal(fmt.Sprint("a bundle of ", files, " files"))
	}
}
