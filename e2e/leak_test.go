package e2e

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/lectern-docs/lectern/client"
)

// secretSite has a public page, one for all signed-in readers, and one for each of two groups. Each word occurs only on
// one page and in the files derived from it.
var secretSite = map[string]string{
	"docs.json": `{"name":"Secret","theme":"mint","colors":{"primary":"#0055aa"},"navigation":{"groups":[
		{"group":"All","pages":["index","open","team"]},{"group":"Some","pages":["alpha","beta","log"]}],
		"global":{"tabs":[{"tab":"API","openapi":"api.json"}]}},
		"redirects":[{"source":"/old-alpha","destination":"/alpha"},{"source":"/old-open","destination":"/open"}]}`,
	"index.mdx": "---\ntitle: Home\n---\n\nwordteam [a](/alpha) [b](/beta)\n",
	"open.mdx":  "---\ntitle: Open\npublic: true\n---\n\nwordopen ![o](/img/open.svg)\n",
	"team.mdx":  "---\ntitle: wordteam\n---\n\nwordteam ![t](/img/team.svg)\n",
	"alpha.mdx": "---\ntitle: wordalpha\ndescription: wordalpha\ngroups: [a]\nkeywords: [wordalpha]\n---\n\n## wordalpha\n\nwordalpha ![a](/img/alpha.svg)\n",
	"beta.mdx":  "---\ntitle: wordbeta\ngroups: [b]\n---\n\nwordbeta ![b](/img/beta.svg)\n",
	"log.mdx":   "---\ntitle: Log\nrss: true\ngroups: [b]\n---\n\n<Update label=\"wordbeta\">New.</Update>\n",
	"api.json": `{"openapi":"3.1.0","info":{"title":"wordteam","version":"1"},"paths":{
		"/open":{"get":{"summary":"Get all","responses":{}}},
		"/alpha":{"get":{"summary":"wordalpha","x-mint":{"groups":["a"]},"tags":["wordalpha"],"responses":{"200":{
			"description":"Yes","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Alpha"}}}}}}}},
		"tags":[{"name":"wordalpha"}],"components":{"schemas":{"Alpha":{"type":"object","description":"wordalpha"}}}}`,
	"img/open.svg":  `<svg xmlns="http://www.w3.org/2000/svg"><title>wordopen</title></svg>`,
	"img/team.svg":  `<svg xmlns="http://www.w3.org/2000/svg"><title>wordteam</title></svg>`,
	"img/alpha.svg": `<svg xmlns="http://www.w3.org/2000/svg"><title>wordalpha</title></svg>`,
	"img/beta.svg":  `<svg xmlns="http://www.w3.org/2000/svg"><title>wordbeta</title></svg>`,
}

// surfaces are addresses at which a site responds or might respond.
var surfaces = []string{"/", "/index", "/open", "/team", "/alpha", "/beta", "/log", "/open.md", "/team.md", "/alpha.md", "/beta.md",
	"/alpha/", "/%61lpha", "//alpha", "/alpha.html", "/alpha/index.html", "/ALPHA", "/old-alpha", "/old-open", "/nothing",
	"/nothing-wordalpha", "/llms.txt", "/llms-full.txt", "/sitemap.xml", "/robots.txt", "/log/rss.xml", "/log.xml", "/skill.md",
	"/.well-known/skills/index.json", "/.well-known/agent-skills/index.json", "/.well-known/mcp.json", "/api.json", "/openapi.json",
	"/img/open.svg", "/img/team.svg", "/img/alpha.svg", "/img/beta.svg", "/_lectern/api/search?q=wordalpha",
	"/_lectern/api/search?q=wordbeta", "/_lectern/api/search?q=wordteam", "/_lectern/search/index.js", "/_lectern/manifest.json",
	"/manifest.json", "/lectern.json", "/mcp", "/404", "/404.html", "/favicon.svg"}

// posts are requests that programs send.
var posts = map[string]string{
	"/mcp":                    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_docs","arguments":{"query":"wordalpha wordbeta wordteam"}}}`,
	"/_lectern/api/assistant": `{"fp":"x","messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"what is wordalpha, wordbeta and wordteam?"}]}]}`,
	"/_lectern/api/search":    `{"query":"wordalpha"}`,
}

var linked = regexp.MustCompile(`(?:href|src)="(/[^"#?]*)`)

// C7: on every surface of a site, each word is visible only to the readers who may see it. The test covers four kinds
// of readers, bundles, and the bundles of a restored backup.
func TestPagesDoNotLeakToOtherGroups(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	if err := os.Mkdir(dir+"/img", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range secretSite {
		write(t, dir+"/"+name, text)
	}
	p := serve(t, data, nil, "--first-site", "off", "--sources-local", "on", "--features-assistant", "local")
	key := command(t, nil, "keys", "create", "--data", data, "--scope", "read,write,discovery")
	api := p.client(key)
	const host = "secret.localhost"
	made := newProject(t, api, dir, host)
	if _, err := api.WaitUpdate(background(), made.LastUpdate.StatusID, nil); err != nil {
		t.Fatal(err)
	}
	private := protectWithTokens(t, api, made.ProjectID)
	readers := map[string]*visitor{}
	for name, groups := range map[string][]string{"nobody": nil, "member": {}, "a": {"a", "x"}, "b": {"b"}} {
		readers[name] = &visitor{t: t, process: p, host: host}
		if groups != nil {
			readers[name].signIn(private, groups)
		}
	}
	may := map[string][]string{"nobody": {"wordopen"}, "member": {"wordopen", "wordteam"},
		"a": {"wordopen", "wordteam", "wordalpha"}, "b": {"wordopen", "wordteam", "wordbeta"}}
	// the first visits start building the groups' views
	for reader, page := range map[string]string{"nobody": "/open", "a": "/alpha", "b": "/beta"} {
		p.Await("the view of "+reader, func() bool {
			status, _ := readers[reader].get(page)
			return status == http.StatusOK
		})
	}
	for name, v := range readers {
		seen := v.crawl()
		for word, page := range map[string]string{"wordopen": "/open", "wordteam": "/team", "wordalpha": "/alpha", "wordbeta": "/beta"} {
			allowed := strings.Contains(strings.Join(may[name], " "), word)
			var at []string
			for address, body := range seen {
				if strings.Contains(body, word) && !strings.Contains(address, word) {
					at = append(at, address)
				}
			}
			if !allowed && len(at) > 0 {
				t.Errorf("%s sees %s at %q", name, word, at)
			}
			if status, body := v.get(page); allowed != (status == http.StatusOK && strings.Contains(body, word)) {
				t.Errorf("%s gets %d for %s", name, status, page)
			}
		}
		if len(seen) < 50 {
			t.Errorf("%s saw only %d addresses", name, len(seen))
		}
	}
	for _, word := range []string{"wordteam", "wordalpha", "wordbeta"} {
		if strings.Contains(p.Output(), word) {
			t.Errorf("the log contains %s", word)
		}
	}
	checkBundles(t, p, key, host)
}

// protectWithTokens makes the site admit readers with tokens signed with the returned key.
func protectWithTokens(t *testing.T, api *client.Client, projectID string) ed25519.PrivateKey {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	_, err = api.SetReaderAccess(background(), projectID, client.SetReaderAccess{Mode: "jwt", JWT: client.ReaderTokens{
		LoginURL: "https://app.example.com/docs",
		Keys:     []client.ReaderTokenKey{{ID: "1", PEM: string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: raw}))}}}})
	if err != nil {
		t.Fatal(err)
	}
	return private
}

// visitor is one browser on a site.
type visitor struct {
	t       *testing.T
	process *process
	host    string
	cookie  string
}

func (v *visitor) signIn(key ed25519.PrivateKey, groups []string) {
	v.t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: key}, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	token, err := jwt.Signed(signer).Claims(jwt.Claims{Subject: "somebody", Audience: jwt.Audience{v.host}, ID: rand.Text(),
		Expiry: jwt.NewNumericDate(time.Now().Add(5 * time.Minute))}).Claims(map[string]any{"groups": groups}).Serialize()
	if err != nil {
		v.t.Fatal(err)
	}
	response := v.send(http.MethodPost, "/login/jwt", url.Values{"token": {token}}.Encode(), "application/x-www-form-urlencoded")
	for _, c := range response.Cookies() { // like a browser, keep all of them
		v.cookie += c.Name + "=" + c.Value + "; "
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusSeeOther || v.cookie == "" {
		v.t.Fatalf("sign-in: %s", response.Status)
	}
}

func (v *visitor) send(method, path, body, kind string) *http.Response {
	v.t.Helper()
	r, err := http.NewRequestWithContext(background(), method, v.process.url+path, bytes.NewReader([]byte(body)))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Host = v.host
	r.Header.Set("Accept", "text/html, application/json, text/event-stream, */*")
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	if v.cookie != "" {
		r.Header.Set("Cookie", v.cookie)
	}
	once := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := once.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	return response
}

// text returns everything that a response reveals.
func (v *visitor) text(response *http.Response) (int, string) {
	v.t.Helper()
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	var headers bytes.Buffer
	_ = response.Header.Write(&headers)
	if cache := response.Header.Get("Cache-Control"); !strings.Contains(cache, "private") && !strings.Contains(cache, "no-store") {
		v.t.Errorf("shared caches may keep %s: %q", response.Request.URL, cache)
	}
	return response.StatusCode, string(body) + headers.String()
}

func (v *visitor) get(path string) (int, string) {
	v.t.Helper()
	return v.text(v.send(http.MethodGet, path, "", ""))
}

// crawl requests all surfaces, everything they link to, and the requests that programs send.
func (v *visitor) crawl() map[string]string {
	v.t.Helper()
	seen, todo := map[string]string{}, append([]string{}, surfaces...)
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		if _, known := seen[at]; known || strings.HasPrefix(at, "/login") || at == "/logout" {
			continue
		}
		_, body := v.get(at)
		seen[at] = body
		for _, found := range linked.FindAllStringSubmatch(body, -1) {
			todo = append(todo, found[1])
		}
	}
	for at, body := range posts {
		_, seen["POST "+at] = v.text(v.send(http.MethodPost, at, body, "application/json"))
	}
	return seen
}
