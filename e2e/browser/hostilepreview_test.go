package browser

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

// leakPage is a page whose code tries to read secrets of the build; leakCode is that code.
const (
	leakPage = "---\ntitle: Evil\n---\nimport { Leak } from \"/snippets/leak.jsx\"\n\n<Leak />\n"
	leakCode = `export const Leak = () => {
  const tries = {
    env: () => JSON.stringify(process.env),
    environ: () => require("fs").readFileSync("/proc/self/environ", "utf8"),
    parent: () => require("fs").readFileSync("/proc/" + process.ppid + "/environ", "utf8"),
    deno: () => JSON.stringify(Deno.env.toObject()),
    code: () => JSON.stringify((() => {}).constructor("return process.env")()),
    fetch: () => String(fetch("http://127.0.0.1/")),
  };
  const out = Object.entries(tries).map(([name, f]) => { try { return name + ": got " + f(); } catch (e) { return name + ": refused"; } });
  return <p>tried {out.join("; ")}</p>;
};
`
	// attackScript runs on the preview's origin, in the browser of someone who is signed in to the dashboard.
	attackScript = `(async () => {
  const out = { cookie: document.cookie, stored: String(localStorage.getItem("production")) };
  const names = location.hostname.split(".");
  for (let i = 0; i < names.length; i++) document.cookie = "planted=1; path=/; domain=" + names.slice(i).join(".");
  document.cookie = "lectern_session=planted; path=/; domain=localhost";
  for (const url of %s) {
    try { const r = await fetch(url, { credentials: "include" }); out[url] = "read " + r.status; } catch (e) { out[url] = "refused"; }
  }
  window.result = out;
})();
`
)

// repositoryWithFork creates a repository with a plain site on the branch main and a hostile one on the branch fork.
func repositoryWithFork(t *testing.T, script string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	git := func(args ...string) { testgit.Run(t, dir, args...) }
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	write("docs.json",
		`{"name":"Kestrel","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index"]}}`)
	write("index.mdx", "---\ntitle: Home\n---\nThe real docs.\n")
	git("add", "-A")
	git("commit", "-qm", "docs")
	git("checkout", "-qb", "fork")
	write("index.mdx", leakPage)
	write("snippets/leak.jsx", leakCode)
	write("attack.js", script)
	git("add", "-A")
	git("commit", "-qm", "attack")
	git("checkout", "-q", "main")
	return dir
}

// C9: a preview of a hostile branch is built without secrets, and its scripts run on a separate origin. They cannot
// read cookies, storage or responses of the dashboard, the API and the live site, cannot set cookies there, and cannot
// post forms. That origin serves only the preview, and the live site does not change.
func TestHostilePreviewIsIsolated(t *testing.T) {
	t.Parallel()
	secrets := []string{"preview-must-not-see-this-0123456789abcdef", "nor-this-credential-0123456789"}
	f := startFreshServer(t, []string{"LECTERN_SECRET_KEY=" + secrets[0], "LECTERN_CREDENTIAL_BOT=" + secrets[1]},
		"--git-poll-interval", "0", "--first-site", "off")
	live := f.site("kestrel.localhost")
	targets := fmt.Sprintf(`["/index.md", "%[1]s/dashboard/", "%[1]s/v1/projects", "%[2]s/"]`, f.url, live)
	dir := repositoryWithFork(t, fmt.Sprintf(attackScript, targets))
	p, err := f.CreateProject(t.Context(), client.CreateProject{Name: "Kestrel", Domain: "kestrel.localhost",
		Source: client.SourceInput{Repository: "file://" + dir, Branch: "main"}})
	if err != nil {
		t.Fatal(err)
	}
	f.project("kestrel.localhost")
	started, err := f.StartPreview(t.Context(), p.ProjectID, client.StartPreview{Branch: "fork"})
	if err != nil {
		t.Fatal(err)
	}
	if u, err := f.WaitUpdate(t.Context(), started.StatusID, nil); err != nil || u.Status != client.UpdateStateSuccess {
		t.Fatalf("%+v %v", u, err)
	}
	preview := strings.TrimSuffix(started.PreviewURL, "/")
	checkNoSecret(t, preview, append(secrets, "got "))

	b := tab(t)
	b.makeOwner(f)
	out := &sent{cookies: map[string]string{}}
	go out.listen(b.ctx)
	f.waitUntil("the dashboard's own cookie", func() bool {
		b.navigate(f.url + "/dashboard/projects")
		mine, _ := out.sentTo(strings.TrimPrefix(f.url, "http://"))
		return strings.Contains(mine, "lectern_session=")
	})
	b.navigate(live + "/")
	eval[bool](b,
		`localStorage.setItem("production", "1"), document.cookie = "production=1; path=/", document.cookie.includes("production=1")`)
	b.navigate(preview + "/")
	b.waitFor(`window.result !== undefined`)
	// its own page, to verify that the script works
	want := map[string]string{"cookie": "", "stored": "null", "/index.md": "read 200",
		f.url + "/dashboard/": "refused", f.url + "/v1/projects": "refused", live + "/": "refused"}
	if got := eval[map[string]string](b, `window.result`); !maps.Equal(got, want) {
		t.Errorf("the preview's script got %q", got)
	}
	if theirs, asked := out.sentTo(strings.TrimPrefix(preview, "http://")); !asked || strings.Contains(theirs, "lectern") ||
		strings.Contains(theirs, "production") {
		t.Errorf("the preview was asked %v, with the cookies %q", asked, theirs)
	}
	b.submitForged(f, "a preview", first(1, forgedForms))
	b.navigate(live + "/")
	b.expectEqual("cookies of the live site", eval[string](b, `document.cookie`), "production=1")
	if !strings.Contains(b.text("article"), "The real docs.") {
		t.Errorf("the live site shows %s", b.text("article"))
	}
	b.navigate(f.url + "/dashboard/projects")
	b.expectEqual("who is signed in", b.text(".side .me .quiet"), "owner")
	for _, host := range []string{strings.TrimPrefix(f.url, "http://"), strings.TrimPrefix(live, "http://")} {
		if got, asked := out.sentTo(host); !asked || strings.Contains(got, "planted") {
			t.Errorf("%s was asked %v, with the cookies %q", host, asked, got)
		}
	}
	for _, path := range []string{"/dashboard/", "/dashboard/sign-in", "/v1/projects", "/openapi.json", "/blob/x",
		"/healthz"} {
		if status, _ := fetchPage(t, preview+path); status != http.StatusNotFound {
			t.Errorf("%s returns %d on a preview's origin", path, status)
		}
	}
}

// checkNoSecret checks the output of a hostile build: its code ran, but got no secret.
func checkNoSecret(t *testing.T, preview string, secrets []string) {
	t.Helper()
	status, page := fetchPage(t, preview+"/")
	if status != http.StatusOK || !strings.Contains(page, "tried env: refused") || !strings.Contains(page, "attack") {
		t.Fatalf("unexpected hostile page: %d %s", status, page)
	}
	_, twin := fetchPage(t, preview+"/index.md")
	for _, s := range secrets {
		if strings.Contains(page, s) || strings.Contains(twin, s) {
			_, tried, _ := strings.Cut(twin, "tried")
			t.Errorf("the build showed %q: %s", s, tried)
		}
	}
}

// fetchPage reads an address on a subdomain of localhost, which resolves to this machine.
func fetchPage(t *testing.T, address string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host, req.URL.Host = req.URL.Host, "127.0.0.1:"+req.URL.Port()
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}
