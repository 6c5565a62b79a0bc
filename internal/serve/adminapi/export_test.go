package adminapi_test

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
)

type exportBody struct {
	JobID     string    `json:"jobId"`
	Status    string    `json:"status"`
	Progress  float64   `json:"progress"`
	PageCount int       `json:"pageCount"`
	CreatedAt time.Time `json:"createdAt"`
	Domain    string    `json:"domain"`
	Version   *string   `json:"version"`
	Error     *string   `json:"error"`
}

type linkBody struct {
	JobID     string    `json:"jobId"`
	BundleURL string    `json:"bundleUrl"`
	ExpiresAt time.Time `json:"expiresAt"`
	SizeBytes int64     `json:"sizeBytes"`
	SHA256    string    `json:"sha256"`
	Format    string    `json:"format"`
	Version   *string   `json:"version"`
}

// B4: a complete run of a client that relies only on the specification: start, poll, bundle, download, and a new link
// after expiry.
func TestExportFromStartToDownload(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	started := w.do(t, ask{"POST", "/v1/static-export/jobs", x.key,
		`{"domain":"Docs.A.example","version":"2.0","paths":["/guides/start","index"]}`, nil}).want(t, 202)
	job := read[exportBody](t, started)
	if job.Status != "queued" || job.Domain != "docs.a.example" || *job.Version != "2.0" ||
		started.header.Get("Location") != "/v1/static-export/jobs/"+job.JobID {
		t.Fatalf("%s %v", started.body, started.header)
	}
	stored, err := w.store.FindExportByID(t.Context(), job.JobID)
	must(t, err)
	if strings.Join(stored.Paths, " ") != "guides/start index" || stored.ProjectID != x.project.ID {
		t.Errorf("stored %+v", stored)
	}
	poll := ask{"GET", started.header.Get("Location"), x.key, "", nil}
	first := w.do(t, poll).want(t, 200)
	if string(first.body) != string(started.body) || first.header.Get("Retry-After") == "" {
		t.Errorf("the first poll differs from the start: %s %s", first.body, started.body)
	}
	bundle := ask{"POST", poll.path + "/bundle", x.key, "", nil}
	if got := w.do(t, bundle).want(t, 409); !strings.Contains(string(got.body), "queued") {
		t.Errorf("%s", got.body)
	}
	w.finishExport(t, stored)
	if got := w.do(t, poll).want(t, 200); read[exportBody](t, got).Progress != 100 ||
		got.header.Get("Retry-After") != "" {
		t.Errorf("%s %v", got.body, got.header)
	}
	link := read[linkBody](t, w.do(t, bundle).want(t, 200))
	u, err := url.Parse(link.BundleURL)
	must(t, err)
	if "http://"+u.Host != w.server.URL || !link.ExpiresAt.Equal(w.clock.Now().Truncate(time.Second).Add(time.Hour)) ||
		link.Format != "tar.gz" {
		t.Errorf("%+v", link)
	}
	download := ask{method: "GET", path: u.RequestURI()}
	got := w.do(t, download).want(t, 200)
	if hexSHA(string(got.body)) != link.SHA256 || int64(len(got.body)) != link.SizeBytes ||
		!strings.Contains(got.header.Get("Content-Disposition"), "docs.a.example-2.0.tar.gz") {
		t.Errorf("%q %v", got.body, got.header)
	}
	w.clock.Advance(time.Hour)
	w.do(t, download).want(t, 403)
	again := read[linkBody](t, w.do(t, ask{"POST", poll.path + "/bundle?format=zip", x.key, `{}`, nil}).want(t, 200))
	u, err = url.Parse(again.BundleURL)
	must(t, err)
	if got := w.do(t, ask{method: "GET", path: u.RequestURI()}).want(t, 200); hexSHA(string(got.body)) != link.SHA256 ||
		again.Format != "zip" {
		t.Errorf("renewed: %+v", again)
	}
}

// A download's file name contains no characters that are special to a shell or a file system.
func TestBundleFileNameIsSafe(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil) // the project's version is "v1 beta/2"
	link := read[linkBody](t, w.do(t, ask{"POST", "/v1/static-export/jobs/" + x.done.ID + "/bundle", x.key, "", nil}).
		want(t, 200))
	u, err := url.Parse(link.BundleURL)
	must(t, err)
	if got := u.Query().Get("name"); got != "docs.a.example-v1-beta-2.tar.gz" {
		t.Errorf("name %q", got)
	}
}

// Links start with the public URL or the address that the caller used; only a trusted proxy may set a different one.
func TestLinksUseTheConfiguredBaseURL(t *testing.T) {
	forwarded := map[string]string{"X-Forwarded-Proto": "https", "X-Forwarded-Host": "lectern.example.com"}
	for name, c := range map[string]struct {
		change func(*adminapi.Options)
		want   string
	}{
		"public URL": {func(o *adminapi.Options) { o.PublicURL = "https://public.example.com/" },
			"https://public.example.com/"},
		"trusted proxy": {func(o *adminapi.Options) {
			o.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		}, "https://lectern.example.com/"},
		"untrusted proxy": {nil, "http://127.0.0.1:"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, c.change)
			x := w.newTenant(t, "a", account.PlanEnterprise)
			link := read[linkBody](t, w.do(t,
				ask{"POST", "/v1/static-export/jobs/" + x.done.ID + "/bundle", x.key, "", forwarded}).want(t, 200))
			got := w.do(t, ask{"GET", "/v1/projects/" + x.project.ID, x.key, "", forwarded}).want(t, 200)
			hook := got.object(t)["webhook"].(map[string]any)["url"].(string)
			if !strings.HasPrefix(link.BundleURL, c.want) || !strings.HasPrefix(hook, c.want) {
				t.Errorf("link %s, webhook %s", link.BundleURL, hook)
			}
		})
	}
}

func TestInvalidExportRequestNamesTheField(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	for body, field := range map[string]string{
		`{}`:                             "domain",
		`{"domain":""}`:                  "domain",
		`{"domain":"https://a.example"}`: "domain",
		`{"domain":"a.example/X"}`:       "domain",
		`{"domain":"a.example:80"}`:      "domain",
		`{"domain":["a.example"]}`:       "domain",
		`{"domain":"docs.a.example","version":"a\nb"}`:  "version",
		`{"domain":"docs.a.example","version":null}`:    "version",
		`{"domain":"docs.a.example","paths":["../x"]}`:  "paths",
		`{"domain":"docs.a.example","paths":"index"}`:   "paths",
		`{"domain":"docs.a.example","format":"tar.gz"}`: "format",
		`{"domain":"docs.a.example","paths":["a",1]}`:   "paths.1",
	} {
		got := w.do(t, ask{"POST", "/v1/static-export/jobs", x.key, body, nil}).want(t, 400)
		if !strings.Contains(string(got.body), `"field":"`+field+`"`) {
			t.Errorf("%s: %s", body, got.body)
		}
	}
	got := w.do(t, ask{"POST", "/v1/static-export/jobs", x.key, `{"domain":"docs.nobody.example"}`, nil}).want(t, 404)
	if got.code(t) != "unknown_domain" {
		t.Errorf("%s", got.body)
	}
}

// B5: requesting the bundle of a job in the wrong state is a conflict whose error names the state, and so is canceling
// an export that has already ended.
func TestWrongStateErrorNamesTheState(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	cancel := ask{"POST", "/v1/static-export/jobs/" + x.queued.ID + "/cancel", x.key, "", nil}
	job := read[exportBody](t, w.do(t, cancel).want(t, 200))
	canceled := "The export was canceled by the key " + x.keyID + "."
	if job.Status != "failed" || *job.Error != canceled {
		t.Errorf("%+v", job)
	}
	if got := w.do(t, cancel).want(t, 409); !strings.Contains(string(got.body), "failed") {
		t.Errorf("%s", got.body)
	}
	got := w.do(t, ask{"POST", "/v1/static-export/jobs/" + x.queued.ID + "/bundle", x.key, "", nil}).want(t, 409)
	if !strings.Contains(string(got.body), "failed") || !strings.Contains(string(got.body), canceled) {
		t.Errorf("%s", got.body)
	}
	w.do(t, ask{"POST", "/v1/static-export/jobs/" + x.done.ID + "/cancel", x.key, "", nil}).want(t, 409)
}

func TestListsFilterByStatus(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	for status, want := range map[export.Status]int{export.Queued: 1, export.Running: 0, export.Completed: 1,
		export.Failed: 0} {
		got := w.do(t, ask{"GET", "/v1/static-export/jobs?status=" + string(status), x.key, "", nil}).want(t, 200)
		if n := len(got.object(t)["jobs"].([]any)); n != want {
			t.Errorf("%s: %d jobs", status, n)
		}
	}
}

// H10: an export started with only a domain has a version, the same one in the job and in the link; a requested
// version takes precedence.
func TestEveryExportHasAVersion(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	for body, want := range map[string]string{
		`{"domain":"docs.a.example"}`:                    "c0ffeec0ffee",
		`{"domain":"docs.a.example","version":"2026.1"}`: "2026.1",
		`{"domain":"docs.a.example","version":" ","paths":["/index.mdx"]}`: export.Label("c0ffeec0ffee",
			[]string{"index"}, nil),
		`{"domain":"docs.a.example","groups":["b"," a","b"]}`:              export.Label("c0ffeec0ffee", nil, []string{"a", "b"}),
		`{"domain":"docs.a.example","version":"c0ffee","paths":["index"]}`: "c0ffee",
	} {
		started := read[exportBody](t, w.do(t, ask{"POST", "/v1/static-export/jobs", x.key, body, nil}).want(t, 202))
		job, err := w.store.FindExportByID(t.Context(), started.JobID)
		must(t, err)
		w.finishExport(t, job)
		asked := read[exportBody](t, w.do(t, ask{"GET", "/v1/static-export/jobs/" + job.ID, x.key, "", nil}).
			want(t, 200))
		link := w.generate(t, x.key, job.ID)
		for name, got := range map[string]*string{"start": started.Version, "status": asked.Version,
			"link": link.Version} {
			if got == nil || *got != want {
				t.Errorf("%s: %s names version %v, not %q", body, name, got, want)
			}
		}
	}
}

// Exports for different readers are separate jobs, and show who they are for.
func TestExportsForOtherReadersAreNotJoined(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	jobs := map[string]string{}
	for _, c := range []struct{ groups, want string }{
		{`[]`, ""}, {`["b","a"]`, "a b"}, {`["a"]`, "a"}, {`["a","b","a"]`, "a b"},
	} {
		got := read[client.ExportJob](t, w.do(t, ask{"POST", "/v1/static-export/jobs", x.key,
			`{"domain":"docs.a.example","groups":` + c.groups + `}`, nil}).want(t, 202))
		if strings.Join(got.Groups, " ") != c.want {
			t.Errorf("%s: the job is for %q", c.groups, got.Groups)
		}
		if first := jobs[c.want]; first != "" && first != got.JobID || got.Joined != (first != "") {
			t.Errorf("%s: job %s, joined %v, the first was %q", c.groups, got.JobID, got.Joined, first)
		}
		jobs[c.want] = got.JobID
		asked := read[client.ExportJob](t, w.do(t, ask{"GET", "/v1/static-export/jobs/" + got.JobID, x.key, "", nil}).
			want(t, 200))
		if strings.Join(asked.Groups, " ") != c.want {
			t.Errorf("%s: the stored job is for %q", c.groups, asked.Groups)
		}
	}
	if jobs[""] == jobs["a"] || jobs["a"] == jobs["a b"] {
		t.Errorf("jobs %v", jobs)
	}
	for _, bad := range []string{`[""]`, `[" "]`, `["a\u0000"]`, `"a"`, `[1]`, `["` + strings.Repeat("x", 201) + `"]`,
		`[` + strings.TrimSuffix(strings.Repeat(`"x",`, 101), ",") + `]`} {
		w.do(t, ask{"POST", "/v1/static-export/jobs", x.key, `{"domain":"docs.a.example","groups":` + bad + `}`, nil}).want(t, 400)
	}
}

// A9: all times are UTC to the microsecond, and null fields are present.
func TestTimesAreUTCAndNullsArePresent(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	job := w.do(t, agentAsk(x, "POST", "/job", `{"prompt":"fix it"}`)).want(t, 201) // no worker has given it a branch
	for _, want := range []string{`"prLink":null`, `"ref":null`, `"archivedAt":null`,
		`"createdAt":"2026-03-04T05:06:07.123456Z"`} {
		if !strings.Contains(string(job.body), want) {
			t.Errorf("agent job lacks %s: %s", want, job.body)
		}
	}
	plain := w.do(t, ask{"POST", "/v1/static-export/jobs", x.key, `{"domain":"docs.a.example"}`, nil}).want(t, 202)
	for _, want := range []string{`"errorCode":null`, `"error":null`, `"createdAt":"2026-03-04T05:06:07.123456Z"`} {
		if !strings.Contains(string(plain.body), want) {
			t.Errorf("export lacks %s: %s", want, plain.body)
		}
	}
	if got := w.do(t, ask{method: http.MethodGet, path: "/v1/projects/" + x.folder.ID,
		key: x.key}); !strings.Contains(string(got.body), `"live":null,"lastUpdate":null`) {
		t.Errorf("project: %s", got.body)
	}
}
