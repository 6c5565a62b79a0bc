package apipage

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// caller returns the page of "GET /x" in a description with these servers. name is the description's file in the docs
// folder or its URL.
func caller(t testing.TB, name, servers string, more ...string) Input {
	t.Helper()
	text := fmt.Sprintf(
		`{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": %s, "paths": {"/x": {"get": {"responses": {}}}}%s}`, servers, strings.Join(more, ""))
	loader := &openapi.Loader{FS: fstest.MapFS{name: {Data: []byte(text)}}}
	if openapi.Remote(name) {
		loader = &openapi.Loader{Fetch: func(context.Context, string) ([]byte, error) { return []byte(text), nil }}
	}
	set, list := openapi.LoadSet(context.Background(), loader, []string{name}, 1)
	if set.Spec(name) == nil {
		t.Fatal(list)
	}
	page := &site.Page{Path: "x", Title: "X",
		API: &site.APIRef{Kind: site.APIOperation, Spec: name, Method: "GET", Path: "/x"}}
	return Input{Page: page, Specs: set, Playground: capability.Playground{On: true, Proxy: capability.HasProxy},
		ProxyURL: capability.ProxyPath}
}

// F5: the proxy may call the origins in the published description and nothing else. Each origin is listed once, in
// normalized form, and only HTTP URLs have one.
func TestOriginsComeFromServers(t *testing.T) {
	const remote = "https://Specs.example.com:443/v3/openapi.json"
	for _, c := range []struct{ name, spec, servers, want string }{
		{"plain", "", `[{"url": "https://api.example.com/v1"}]`, "https://api.example.com"},
		{"several, once each, in order", "",
			`[{"url": "https://b.example/1"}, {"url": "https://a.example"}, {"url": "https://b.example/2"}]`,
			"https://a.example https://b.example"},
		{"spelling", "", `[{"url": "HTTPS://Api.Example.COM:443/v1"}, {"url": "http://api.example.com:80"}]`,
			"http://api.example.com https://api.example.com"},
		{"ports", "", `[{"url": "https://api.example.com:8443"}, {"url": "http://localhost:3000/api"}]`,
			"http://localhost:3000 https://api.example.com:8443"},
		{"IPv6", "", `[{"url": "http://[::1]:8080/v1"}, {"url": "https://[2001:DB8::0:1]"}]`,
			"http://[::1]:8080 https://[2001:db8::1]"},
		{"no user names", "", `[{"url": "https://user:pass@api.example.com"}, {"url": "https://user@api.example.com"}]`,
			""},
		{"no other schemes", "",
			`[{"url": "ftp://a.example"}, {"url": "wss://b.example"}, {"url": "file:///etc/passwd"}, {"url": "javascript:alert(1)"}]`, ""},
		{"no nonsense", "",
			`[{"url": "https://"}, {"url": "https://a b.example"}, {"url": "::"}, {"url": "https://{open"}, {"url": "https://x:99999"}]`, ""},
		{"scheme-relative", "", `[{"url": "//api.example.com/v1"}]`, "https://api.example.com"},
		{"relative, in the docs folder", "", `[{"url": "/v1"}, {"url": "v1"}, {"url": "../v1"}]`, ""},
		{"relative, fetched", remote, `[{"url": "/v1"}]`, "https://specs.example.com"},
		{"relative to the folder, fetched", remote, `[{"url": "../v2"}]`, "https://specs.example.com"},
		{"fetched, elsewhere", remote, `[{"url": "https://api.example.com"}]`, "https://api.example.com"},
		{"a list of values", "",
			`[{"url": "https://{r}.example.com/{v}", "variables": {"r": {"default": "eu", "enum": ["eu", "us"]}, "v": {"default": "v1", "enum": ["v1", "v2"]}}}]`, "https://eu.example.com https://us.example.com"},
		{"two lists of values", "",
			`[{"url": "{s}://{r}.example.com", "variables": {"s": {"default": "https", "enum": ["http", "https"]}, "r": {"default": "eu", "enum": ["eu", "us"]}}}]`, "http://eu.example.com http://us.example.com https://eu.example.com https://us.example.com"},
		{"a default that its list lacks", "",
			`[{"url": "https://{r}.example.com", "variables": {"r": {"default": "eu", "enum": ["us"]}}}]`,
			"https://eu.example.com https://us.example.com"},
		{"free text allows only its default", "",
			`[{"url": "https://{tenant}.example.com:{port}", "variables": {"tenant": {"default": "demo"}, "port": {"default": "8443"}}}]`, "https://demo.example.com:8443"},
		{"free text without a default", "", `[{"url": "https://{tenant}.example.com", "variables": {"tenant": {}}}]`,
			""},
		{"an undefined variable", "", `[{"url": "https://{tenant}.example.com"}]`, ""},
		{"the whole URL", "",
			`[{"url": "{base}/v1", "variables": {"base": {"default": "https://api.example.com", "enum": ["https://api.example.com", "https://test.example.com/x", "/here"]}}}]`, "https://api.example.com https://test.example.com"},
		{"no server", "", `[]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.spec == "" {
				c.spec = "api.json"
			}
			var o Origins
			in := caller(t, c.spec, c.servers)
			o.Add(in)
			o.Add(in) // another operation of the same description
			if got := strings.Join(o.List(), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if page := New(context.Background(), in); page.Playable() != (c.want != "") &&
				c.name != "free text without a default" {
				t.Errorf("the page has a playground: %t", page.Playable())
			}
			in.Look.NoProxy = true
			var none Origins
			if none.Add(in); len(none.List()) > 0 {
				t.Error("a site without a proxy names origins for it")
			}
		})
	}
}

func TestOriginsOfOneServerAreBounded(t *testing.T) {
	var values []string
	for i := range 40 {
		values = append(values, fmt.Sprintf(`"v%d"`, i))
	}
	enum := `{"default": "v0", "enum": [` + strings.Join(values, ",") + `]}`
	var o Origins
	o.Add(caller(t, "api.json", `[{"url": "https://{a}.{b}.{c}.{d}.example.com", "variables": {"a": `+enum+`, "b": `+
		enum+`, "c": `+enum+`, "d": `+enum+`}}]`))
	if n := len(o.List()); n == 0 || n > spreadMax {
		t.Errorf("%d origins", n)
	}
}

func numbered(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`"h%d.example"`, i))
	}
	return strings.Join(list, ",")
}

// F7: a path without a leading slash does not extend the host name before it.
func TestPathCannotExtendHostName(t *testing.T) {
	in := caller(t, "api.json", `[{"url": "https://api.internal"}]`)
	in.Page.API = &site.APIRef{Kind: site.APIManual, Method: "GET", Path: ".evil.example/x"}
	in.Look.Servers = []string{"https://api.internal"}
	in.Playground.Closed, in.Playground.Origins = true, []string{"https://api.internal"}
	var p plan
	if err := json.Unmarshal(New(context.Background(), in).plan, &p); err != nil || p.Path != "/.evil.example/x" {
		t.Errorf("%q, %v", p.Path, err)
	}
}

// A page does not use the proxy if the proxy would refuse its requests.
func TestPageWithoutKnownOriginsHasNoProxy(t *testing.T) {
	const free = `[{"url": "https://{t}.example.com", "variables": {"t": {}}}]`
	for _, c := range []struct {
		name, servers string
		untold        bool
		origins       []string
		want          string
	}{
		{"a known host", `[{"url": "https://api.example.com"}]`, false, nil, "has"},
		{"a page that readers do not see", `[{"url": "https://api.example.com"}]`, true, nil, "none"},
		{"a host that the reader writes", free, false, nil, "none"},
		{"an operator's origin that the reader enters", free, false, []string{"https://a.example.com"}, "has"},
	} {
		in := caller(t, "api.json", c.servers)
		in.Untold, in.Playground.Origins = c.untold, c.origins
		var p plan
		if err := json.Unmarshal(New(context.Background(), in).plan, &p); err != nil || p.Proxy != c.want ||
			(p.ProxyURL == "") != (c.want == "none") {
			t.Errorf("%s: %q %q, %v", c.name, p.Proxy, p.ProxyURL, err)
		}
	}
}

// F6: a restricted playground reaches only the operator's origins.
func TestRestrictedPlaygroundAllowsOnlyOperatorOrigins(t *testing.T) {
	const regions = `[{"url": "https://{r}.example.com/{v}", "variables": {"r": {"default": "eu", "enum": ["eu", "us", "asia"]}, "v": {"default": "v1"}}}]`
	for _, c := range []struct {
		name, servers string
		origins       []string
		want          string // URLs in the plan, each followed by the number of its remaining variables
	}{
		{"nothing is listed", `[{"url": "https://api.example.com"}]`, nil, ""},
		{"another is listed", `[{"url": "https://api.example.com"}]`, []string{"https://api.example.org"}, ""},
		{"it is listed", `[{"url": "https://api.example.com/v1"}]`, []string{"https://api.example.com"},
			"https://api.example.com/v1 0"},
		{"in another spelling", `[{"url": "https://API.example.com:443/v1"}]`, []string{"https://api.EXAMPLE.com/"},
			"https://API.example.com:443/v1 0"},
		{"another port", `[{"url": "https://api.example.com:8443"}]`, []string{"https://api.example.com"}, ""},
		{"another scheme", `[{"url": "http://api.example.com"}]`, []string{"https://api.example.com"}, ""},
		{"a neighbour", `[{"url": "https://api.example.com.evil.example"}, {"url": "https://xapi.example.com"}]`,
			[]string{"https://api.example.com"}, ""},
		{"one of two", `[{"url": "https://a.example"}, {"url": "https://b.example"}]`, []string{"https://b.example"},
			"https://b.example 0"},
		{"all regions", regions, []string{"https://eu.example.com", "https://us.example.com",
			"https://asia.example.com"},
			"https://eu.example.com/{v} 1, https://us.example.com/{v} 1, https://asia.example.com/{v} 1"},
		{"some regions", regions, []string{"https://us.example.com", "https://asia.example.com"},
			"https://us.example.com/{v} 1, https://asia.example.com/{v} 1"},
		{"free text", `[{"url": "https://{t}.example.com", "variables": {"t": {"default": "demo"}}}]`,
			[]string{"https://demo.example.com"}, "https://demo.example.com 0"},
		{"free text with an unknown target",
			`[{"url": "https://{t}.example.com", "variables": {"t": {}}}]`, []string{"https://x.example.com"}, ""},
		{"values that only some programs read as another host",
			`[{"url": "https://{h}/v1", "variables": {"h": {"default": "api.internal", "enum": ["api.internal", "evil.example\\", "evil.example%2f", "evil。example", "u@evil.example"]}}}]`, []string{"https://api.internal"}, "https://api.internal/v1 0"},
		{"a value that is the mark of free text",
			`[{"url": "https://{h}/v1", "variables": {"h": {"default": "{free}", "enum": ["{free}"]}, "free": {"default": "api.internal"}}}]`, []string{"https://api.internal"}, ""},
		{"more hosts than are examined",
			`[{"url": "https://{h}/v1", "variables": {"h": {"default": "api.internal", "enum": ["api.internal", ` +
				numbered(150) + `]}}}]`, []string{"https://api.internal"}, "https://api.internal/v1 0"},
		{"a list that is no origin", `[{"url": "https://api.example.com"}]`, []string{"api.example.com", "", "*"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := caller(t, "api.json", c.servers)
			in.Playground.Closed, in.Playground.Origins = true, c.origins
			var got []string
			var o Origins
			o.Add(in)
			if page := New(context.Background(), in); page.Playable() {
				var p plan
				if err := json.Unmarshal(page.plan, &p); err != nil {
					t.Fatal(err)
				}
				for _, s := range p.Servers {
					got = append(got, fmt.Sprint(s.URL, " ", len(s.Variables)))
				}
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			for _, origin := range o.List() {
				if !in.open(origin) {
					t.Errorf("the proxy may call %s", origin)
				}
			}
			if (c.want == "") != (len(o.List()) == 0) {
				t.Errorf("origins %v", o.List())
			}
		})
	}
}

func TestTokenURLComesFromDescription(t *testing.T) {
	flows := func(token string) string {
		return `, "security": [{"o": []}], "components": {"securitySchemes": {"o": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "` + token + `", "scopes": {}}}}}}`
	}
	const servers = `[{"url": "https://api.example.com/v1"}]`
	for _, c := range []struct{ spec, token, want, origins string }{
		{"api.json", "https://login.example.com/t", "https://login.example.com/t",
			"https://api.example.com https://login.example.com"},
		{"api.json", "token", "https://api.example.com/v1/token", "https://api.example.com"},
		{"api.json", "/token", "https://api.example.com/token", "https://api.example.com"},
		{"https://specs.example.com/a/openapi.json", "token", "https://specs.example.com/a/token",
			"https://api.example.com https://specs.example.com"},
		{"api.json", "ftp://x.example", "", "https://api.example.com"},
		{"api.json", "javascript:alert(1)", "", "https://api.example.com"},
		{"api.json", "https://u:p@login.example.com/t", "", "https://api.example.com"},
	} {
		in := caller(t, c.spec, servers, flows(c.token))
		var p plan
		if err := json.Unmarshal(New(context.Background(), in).plan, &p); err != nil {
			t.Fatal(err)
		}
		var o Origins
		o.Add(in)
		if got := p.Security[0][0].Flows["clientCredentials"].TokenURL; got != c.want ||
			strings.Join(o.List(), " ") != c.origins {
			t.Errorf("%s in %s: %q, %v", c.token, c.spec, got, o.List())
		}
	}
	in := caller(t, "api.json", servers, flows("https://login.example.com/t"))
	in.Playground.Closed, in.Playground.Origins = true, []string{"https://api.example.com"}
	var o Origins
	if o.Add(in); !slices.Equal(o.List(), []string{"https://api.example.com"}) ||
		strings.Contains(string(New(context.Background(), in).plan), "login.example.com") {
		t.Errorf("a closed playground fetches tokens elsewhere: %v", o.List())
	}
}
