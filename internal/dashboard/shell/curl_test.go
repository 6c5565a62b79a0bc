package shell

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
)

// The commands that pages show work in a shell: the server receives exactly that method, path and body, with the key
// from the variable.
func TestShownCurlCommandRunsInAShell(t *testing.T) {
	type seen struct{ method, path, key, kind, body string }
	calls := make(chan seen, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		calls <- seen{r.Method, r.RequestURI, r.Header.Get("Authorization"), r.Header.Get("Content-Type"), string(raw)}
	}))
	t.Cleanup(server.Close)
	odd := Body(map[string]any{"label": `it's "quoted" $HOME $(id) ` + "`id` \\ \n 日本 ü", "n": 1})
	for _, c := range []struct{ method, path, body string }{
		{"GET", "/v1/projects", ""},
		{"GET", "/v1/events?actor=mem_1&since=2026-03-04T00:00:00Z", ""},
		{"DELETE", "/v1/keys/key_abc", ""},
		{"POST", "/v1/project/update/prj_abc", ""},
		{"POST", "/v1/keys", odd},
		{"PATCH", "/v1/projects/prj_abc", `{"domains":["docs.example.com","it's.example"]}`},
		{"POST", "/discovery/v1/search/it's.example;id", `{"query":"!history #x ~ * ? [a-z]"}`},
	} {
		line := Curl(server.URL, c.method, c.path, c.body)
		run := exec.CommandContext(t.Context(), "sh", "-c", line)
		run.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LECTERN_KEY=lct_key 'x'", "NO_PROXY=*"}
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		want := seen{c.method, c.path, "Bearer lct_key 'x'", "", c.body}
		if c.body != "" {
			want.kind = "application/json"
		}
		if got := <-calls; got != want {
			t.Errorf("%s\ngave  %+v\nwant %+v", line, got, want)
		}
	}
}

// Words that need no quotes are not quoted, so that people can read the command.
func TestShownCurlCommandIsReadable(t *testing.T) {
	got := Curl("https://docs.example.com", "POST", "/v1/keys", `{"label":"ci"}`)
	want := strings.Join([]string{`curl -X POST https://docs.example.com/v1/keys \`,
		`  -H "Authorization: Bearer $LECTERN_KEY" \`,
		`  -H "Content-Type: application/json" \`, `  -d '{"label":"ci"}'`}, "\n")
	if got != want {
		t.Errorf("%s", got)
	}
}
