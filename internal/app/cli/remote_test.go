package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const testKey = "lectern_secret"

// fakeServer is a scripted API server: it maps "METHOD path" to its responses in order; the last one is repeated.
type fakeServer struct {
	*httptest.Server
	mu     sync.Mutex
	script map[string][]string // "status body"
	bodies map[string]string   // last request body
}

func startFake(t *testing.T, script map[string][]string) *fakeServer {
	t.Helper()
	s := &fakeServer{script: script, bodies: map[string]string{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	route := r.Method + " " + r.URL.RequestURI()
	if r.Header.Get("Authorization") != "Bearer "+testKey && !strings.HasPrefix(r.URL.Path, "/blob/") {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w,
			`{"error":"The API key is not valid.","code":"invalid_key","requestId":"req_1","hint":"Check it."}`)
		return
	}
	answers := s.script[route]
	if len(answers) == 0 {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"error":"There is no %s.","code":"not_found","requestId":"req_1"}`, route)
		return
	}
	if len(answers) > 1 {
		s.script[route] = answers[1:]
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	s.bodies[route] = string(body)
	var status int
	if _, err := fmt.Sscan(answers[0], &status); err != nil {
		panic(err)
	}
	w.WriteHeader(status)
	fmt.Fprint(w, strings.ReplaceAll(answers[0][4:], "BASE", s.URL))
}

// call runs a command against the server.
func (s *fakeServer) call(t *testing.T, args ...string) runResult {
	t.Helper()
	return invoke(t, append([]string{"LECTERN_URL=" + s.URL, "LECTERN_KEY=" + testKey}, args...)...)
}

func job(status string, progress int) string {
	reason := "null"
	if status == "failed" {
		reason = `"No page could be built."`
	}
	return fmt.Sprintf(
		`200 {"jobId":"se_1","status":%q,"progress":%d,"pageCount":3,"createdAt":"2026-01-02T03:04:05Z","updatedAt":"2026-01-02T03:04:05Z","domain":"docs.example.com","version":null,"error":%s}`, status, progress, reason)
}

func update(status string) string {
	reason, url := "null", "null"
	switch status {
	case "failure":
		reason = `"The site does not build."`
	case "success":
		url = `"https://docs.example.com"`
	}
	return fmt.Sprintf(`200 {"statusId":"dep_1","projectId":"prj_1","kind":"production","branch":null,"status":%q,"commit":{"sha":"","ref":""},"createdAt":"2026-01-02T03:04:05Z","updatedAt":"2026-01-02T03:04:05Z",
		"endedAt":null,"pageCount":7,"logs":["Fetching the source"],
		"diagnostics":[{"file":"a.mdx","line":3,"column":1,"severity":"warning","code":"broken-link","message":"There is no page.","hint":"Fix it."}],"error":%s,"url":%s}`, status, reason, url)
}

const projectBody = `{"projectId":"prj_1","name":"Docs","domain":"docs.example.com","domains":["docs.example.com"],"source":{"path":"/docs","repository":null,"branch":null,"credential":null},
	"docsFolder":"","pullRequestPreviews":"all","createdAt":"2026-01-02T03:04:05Z","updatedAt":"2026-01-02T03:04:05Z","live":null,"lastUpdate":{"statusId":"dep_1","status":"queued"},
	"url":"https://docs.example.com","webhook":{"url":"https://l.example/v1/webhook/prj_1"},"webhookSecret":SECRET}`

func aProject(secret string) string { return strings.Replace(projectBody, "SECRET", secret, 1) }

func TestExportsStartWaitsAndPrintsOnlyTheJob(t *testing.T) {
	t.Parallel()
	s := startFake(t, map[string][]string{
		"POST /v1/static-export/jobs":     {strings.Replace(job("queued", 0), "200", "202", 1)},
		"GET /v1/static-export/jobs/se_1": {job("running", 40), job("completed", 100)},
	})
	if a := s.call(t, "exports", "start", "docs.example.com", "--label", "v1", "--path", "a", "--path", "b").
		want(t, 0); a.stdout != "se_1\n" {
		t.Errorf("printed %q", a.stdout)
	}
	if got, want := s.bodies["POST /v1/static-export/jobs"],
		`{"domain":"docs.example.com","version":"v1","paths":["a","b"]}`; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
	if a := s.call(t, "exports", "start", "docs.example.com", "--wait").
		want(t, 0, " 40 %  running, 3 pages\n", "100 %  completed, 3 pages\n"); a.stdout != "se_1\n" {
		t.Errorf("printed %q", a.stdout)
	}
	a := s.call(t, "exports", "wait", "se_1", "--json").want(t, 0)
	if !strings.Contains(a.stdout, `"status":"completed"`) || a.stderr != "" {
		t.Errorf("printed %q and %q", a.stdout, a.stderr)
	}
}

// If the server reports details of a job, its line shows the server's message, the speed and the remaining time.
func TestExportsWaitShowsStageSpeedAndTimeLeft(t *testing.T) {
	t.Parallel()
	rich := strings.Replace(job("running", 40), `"error":null`,
		`"error":null,"stage":"pages","message":"Writing pages: 80 of 200.","pageTotal":200,"pagesPerSecond":41.6,"secondsLeft":75`, 1)
	s := startFake(t, map[string][]string{"GET /v1/static-export/jobs/se_1": {rich, job("completed", 100)},
		"POST /v1/static-export/jobs/se_1/cancel": {job("running", 40)}})
	s.call(t, "exports", "wait", "se_1").want(t, 0, " 40 %  Writing pages: 80 of 200, 42 pages/s, about 1m15s left\n")
	if a := s.call(t, "exports", "cancel", "se_1").want(t, 0); a.stdout != "se_1\n" {
		t.Errorf("printed %q", a.stdout)
	}
}

// All findings of a failed export are printed, each with its position.
func TestFailedExportPrintsEveryFinding(t *testing.T) {
	t.Parallel()
	failed := strings.Replace(job("failed", 40), `"error":`,
		`"diagnostics":[{"file":"a.mdx","line":3,"column":1,"severity":"error","code":"x","message":"First.","hint":"Mend it."},
		{"file":"b.mdx","line":4,"column":2,"severity":"error","code":"x","message":"Second.","hint":""}],"error":`, 1)
	s := startFake(t, map[string][]string{"GET /v1/static-export/jobs/se_1": {failed}})
	s.call(t, "exports", "wait", "se_1").
		want(t, 1, "a.mdx:3:1: error: First. [x]", "b.mdx:4:2: error: Second. [x]", "Mend it.")
}

func TestFailedExportExitsWithAnError(t *testing.T) {
	t.Parallel()
	s := startFake(t, map[string][]string{"GET /v1/static-export/jobs/se_1": {job("failed", 10)}})
	s.call(t, "exports", "wait", "se_1").want(t, 1, "lectern: se_1 failed: No page could be built.")
	if a := s.call(t, "exports", "wait", "se_1", "--json").
		want(t, 1); !strings.Contains(a.stdout, `"status":"failed"`) {
		t.Errorf("printed %q", a.stdout)
	}
}

func TestExportsDownloadChecksTheBundle(t *testing.T) {
	t.Parallel()
	bundle := strings.Repeat("bundle ", 1000)
	sum := sha256.Sum256([]byte(bundle))
	link := func(sha string) string {
		return fmt.Sprintf(
			`200 {"jobId":"se_1","bundleUrl":"BASE/blob/x","expiresAt":"2026-01-02T03:04:05Z","sizeBytes":%d,"sha256":%q,"version":null,"format":"zip"}`, len(bundle), sha)
	}
	good := hex.EncodeToString(sum[:])
	s := startFake(t, map[string][]string{
		"POST /v1/static-export/jobs/se_1/bundle?format=zip":    {link(good)},
		"POST /v1/static-export/jobs/se_1/bundle?format=tar.gz": {link(strings.Repeat("0", 64))},
		"GET /blob/x": {"200 " + bundle},
	})
	dir := t.TempDir()
	out := filepath.Join(dir, "site.zip")
	if a := s.call(t, "exports", "download", "se_1", "--out", out).want(t, 0); !strings.Contains(a.stdout, good) ||
		read(t, out) != bundle {
		t.Errorf("printed %q", a.stdout)
	}
	if a := s.call(t, "exports", "download", "se_1", "--out", out, "--json").
		want(t, 0); !strings.Contains(a.stdout, `"sha256":"`+good) || a.stderr != "" {
		t.Errorf("printed %q and %q", a.stdout, a.stderr)
	}
	s.call(t, "exports", "download", "se_1", "--out", filepath.Join(dir, "site.tar.gz")).
		want(t, 1, "does not match the export")
	if got := list(t, dir); len(got) != 1 {
		t.Errorf("a corrupt bundle was kept: %v", got)
	}
}

func TestExportsListReadsAllPages(t *testing.T) {
	t.Parallel()
	page := func(next string) string {
		return `200 {"jobs":[` + job("completed", 100)[4:] + `],"nextCursor":` + next + `}`
	}
	s := startFake(t, map[string][]string{
		"GET /v1/static-export/jobs?limit=100":          {page(`"c1"`)},
		"GET /v1/static-export/jobs?cursor=c1&limit=99": {page("null")},
		"GET /v1/static-export/jobs?limit=1":            {page(`"c1"`)},
	})
	if a := s.call(t, "exports", "list").want(t, 0); strings.Count(a.stdout, "se_1") != 2 ||
		!strings.HasPrefix(a.stdout, "JOB ID") {
		t.Errorf("printed %q", a.stdout)
	}
	var got struct{ Jobs []any }
	a := s.call(t, "exports", "list", "--limit", "1", "--json").want(t, 0)
	if err := json.Unmarshal([]byte(a.stdout), &got); err != nil || len(got.Jobs) != 1 {
		t.Errorf("%v: %s", err, a.stdout)
	}
	s.call(t, "exports", "list", "--limit", "0").want(t, 2, "--limit must be 1 or more.")
}

func TestProjectsCreatePublishesAndPrintsOnlyTheProject(t *testing.T) {
	t.Parallel()
	s := startFake(t, map[string][]string{
		"POST /v1/projects":                   {"201 " + aProject(`"whs"`)},
		"GET /v1/projects/prj_1":              {"200 " + aProject("null")},
		"GET /v1/project/update-status/dep_1": {update("in_progress"), update("success")},
	})
	args := []string{"projects", "create", "--name", "Docs", "--domain", "docs.example.com", "--path", "docs"}
	if a := s.call(t, append(args, "--wait")...).
		want(t, 0, "Fetching the source\n", "a.mdx:3:1: warning: There is no page. [broken-link]\n    hint: Fix it.",
			"Published 7 pages at https://docs.example.com"); a.stdout != "prj_1\n" ||
		strings.Count(a.stderr, "Fetching") != 1 || strings.Contains(a.stderr, "whs") {
		t.Errorf("printed %q and %q", a.stdout, a.stderr)
	}
	here, err := filepath.Abs("docs")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.bodies["POST /v1/projects"]; got != fmt.Sprintf(
		`{"name":"Docs","domain":"docs.example.com","source":{"path":%q}}`, here) {
		t.Errorf("sent %s", got)
	}
	if a := s.call(t, append(args, "--wait", "--json")...).
		want(t, 0); !strings.Contains(a.stdout, `"webhookSecret":"whs"`) || a.stderr != "" {
		t.Errorf("printed %q and %q", a.stdout, a.stderr)
	}
	s.call(t, "projects", "create", "--name", "Docs", "--domain", "d").
		want(t, 2, "needs a source: --path or --repository")
	s.call(t, append(args, "--repository", "https://git.example.com/d")...).want(t, 2, "can't be used together")
	s.call(t, append(args[:len(args)-2], "--repository", "https://git.example.com/d")...).
		want(t, 0, "Webhook https://l.example/v1/webhook/prj_1\n", "shown only once: whs")
}

func TestFailedUpdateExitsWithAnError(t *testing.T) {
	t.Parallel()
	s := startFake(t, map[string][]string{
		"POST /v1/projects":                   {"201 " + aProject(`"whs"`)},
		"GET /v1/projects/prj_1":              {"200 " + aProject("null")},
		"POST /v1/project/update/prj_1":       {`202 {"statusId":"dep_1"}`},
		"GET /v1/project/update-status/dep_1": {update("failure")},
	})
	for _, args := range [][]string{
		{"projects", "create", "--name", "D", "--domain", "d", "--repository", "https://git.example.com/d", "--wait"},
		{"projects", "update", "prj_1", "--wait"},
	} {
		if a := s.call(t, args...).want(t, 1, "dep_1 failed: The site does not build."); a.stdout == "" {
			t.Errorf("%v: the new id is not printed", args)
		}
	}
	for _, id := range []string{"dep_1", "prj_1"} {
		if a := s.call(t, "projects", "status", id).want(t, 1); !strings.Contains(a.stdout,
			"The site does not build.") || !strings.Contains(a.stdout, "a.mdx:3:1") {
			t.Errorf("printed %q", a.stdout)
		}
	}
	if a := s.call(t, "projects", "update", "prj_1").want(t, 0); a.stdout != "dep_1\n" {
		t.Errorf("printed %q", a.stdout)
	}
}

func TestProjectsListAndStatusPrintState(t *testing.T) {
	t.Parallel()
	s := startFake(t, map[string][]string{
		"GET /v1/projects?limit=100":          {`200 {"projects":[` + aProject("null") + `],"nextCursor":null}`},
		"GET /v1/project/update-status/dep_1": {update("success")},
	})
	if a := s.call(t, "projects", "list").want(t, 0); !strings.Contains(a.stdout, "prj_1") ||
		!strings.Contains(a.stdout, "queued") {
		t.Errorf("printed %q", a.stdout)
	}
	if a := s.call(t, "projects", "status", "dep_1", "--json").
		want(t, 0); !strings.Contains(a.stdout, `"status":"success"`) {
		t.Errorf("printed %q", a.stdout)
	}
}

func TestExitCodesDistinguishRefusals(t *testing.T) {
	t.Parallel()
	s := startFake(t, map[string][]string{
		"POST /v1/static-export/jobs/se_1/bundle?format=zip": {
			`409 {"error":"The export is not complete.","code":"not_ready","hint":"Wait for it."}`},
		"POST /v1/static-export/jobs": {`403 {"error":"The plan has no exports.","code":"plan"}`},
		"POST /v1/projects": {
			`400 {"error":"The domain is wrong.","code":"invalid_field","details":[{"field":"domain","message":"must be a host name"}]}`},
		"POST /v1/project/update/prj_1": {
			`500 {"error":"An internal error occurred.","code":"internal","requestId":"req_9"}`},
	})
	out := filepath.Join(t.TempDir(), "s.zip")
	s.call(t, "exports", "download", "se_1", "--out", out).
		want(t, 5, "lectern: The export is not complete.\n  hint: Wait for it.\n")
	s.call(t, "exports", "start", "d").want(t, 3, "The plan has no exports.")
	s.call(t, "projects", "status", "dep_x").want(t, 4, "lectern: There is no")
	s.call(t, "projects", "create", "--name", "D", "--domain", "x", "--path", "/d").
		want(t, 2, "The domain is wrong. domain: must be a host name")
	s.call(t, "projects", "update", "prj_1").want(t, 1, "The server's log has details under req_9.")
	invoke(t, "LECTERN_KEY=wrong", "projects", "list", "--url", s.URL).
		want(t, 3, "The API key is not valid.", "hint: Check it.")
	invoke(t, "projects", "list", "--url", s.URL).
		want(t, 3, "The admin API key is missing", "LECTERN_KEY", "--key-file")
	s.call(t, "projects", "list", "--url", "nowhere").want(t, 2, "url: the server's address")
	s.call(t, "projects", "list", "--url", "http://127.0.0.1:1").
		want(t, 1, "The server at http://127.0.0.1:1 cannot be reached.", "lectern serve")
}

func TestKeyIsReadFromFileButNotFromFlag(t *testing.T) {
	t.Parallel()
	s := startFake(t, map[string][]string{"GET /v1/projects?limit=100": {`200 {"projects":[],"nextCursor":null}`}})
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(testKey+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := invoke(t, "LECTERN_KEY=wrong", "projects", "list", "--json", "--url", s.URL, "--key-file", file).
		want(t, 0); a.stdout != "{\"projects\":[],\"nextCursor\":null}\n" {
		t.Errorf("printed %q", a.stdout)
	}
	invoke(t, "projects", "list", "--url", s.URL, "--key-file", file+"x").want(t, 2, "key-file: the file")
	invoke(t, "projects", "list", "--url", s.URL, "--key", testKey).want(t, 2, "unknown flag --key")
}
