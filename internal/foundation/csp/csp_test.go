package csp

import (
	"strings"
	"testing"
)

func TestCheckAcceptsOnlySafeSources(t *testing.T) {
	for _, c := range []struct {
		kind, source string
		ok           bool
	}{
		{"script", "https://cdn.example.com", true},
		{"script", "https://*.example.com", true},
		{"script", "https://cdn.example.com:8443/lib/v1.js", true},
		{"script", "http://[::1]:8080", true},
		{"script", "'wasm-unsafe-eval'", true},
		{"script", "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='", true},
		{"style", "'unsafe-inline'", true},
		{"connect", "wss://chat.example.com", true},
		{"worker", "blob:", true},
		{"script", "'unsafe-inline'", false},
		{"script", "'unsafe-eval'", false},
		{"script", "'strict-dynamic'", false},
		{"script", "'nonce-abc'", false},
		{"script", "'self'", false},
		{"script", "*", false},
		{"script", "https:", false},
		{"script", "https://*", false},
		{"script", "https://*.com", false},
		{"script", "https://a.*.com", false},
		{"script", "data:", false},
		{"script", "blob:", false},
		{"script", "wss://chat.example.com", false},
		{"script", "cdn.example.com", false},
		{"script", "//cdn.example.com", false},
		{"script", "javascript://cdn.example.com", false},
		{"script", "https://user@cdn.example.com", false},
		{"script", "https://cdn.example.com; object-src *", false},
		{"script", "https://cdn.example.com https://b.example", false},
		{"script", "https://cdn.example.com,default-src *", false},
		{"script", "https://cdn.example.com\r\nX: y", false},
		{"script", "https://cdn.example.com/?a=b", false},
		{"img", "'unsafe-inline'", false},
		{"script", "https://" + strings.Repeat("a", 300), false},
		{"script", "", false},
	} {
		if err := Check(c.kind, c.source); (err == nil) != c.ok {
			t.Errorf("%s %q: %v", c.kind, c.source, err)
		}
	}
}

func TestPolicyAddsAllowedSourcesToTheirDirective(t *testing.T) {
	a := Allow{}
	a.Add("script", "https://cdn.example.com", "https://cdn.example.com")
	a.Add("style", "'unsafe-inline'")
	a.Add("connect", "https://api.example.com", "wss://chat.example.com")
	got := Page{Allow: a, Script: "sha256-x", Report: "/_lectern/api/blocked"}.Policy()
	for _, want := range []string{
		"; script-src 'self' 'sha256-x' https://cdn.example.com;", "; style-src 'self' 'unsafe-inline';",
		"; connect-src 'self' https: http: wss://chat.example.com;", "; base-uri 'none';",
		"; report-uri /_lectern/api/blocked",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
}

func TestListCoversAddressesAsBrowsersDo(t *testing.T) {
	a := Allow{"style": {"https://cdn.example.com", "http://plain.example", "https://*.wild.example:8443",
		"https://dir.example/lib/", "https://file.example/a%20b.css", "'unsafe-inline'"}}
	for address, want := range map[string]bool{
		"https://cdn.example.com/a.css": true, "//cdn.example.com/a.css": true, "https://CDN.example.com:443/": true,
		"http://cdn.example.com/a.css": false, "https://cdn.example.com:444/": false,
		"https://cdn.example.com.evil.example/": false, "https://cdn.example.com@evil.example/": false,
		"https://evil.example/cdn.example.com": false, "https:cdn.example.com": false,
		"http://plain.example/": true, "https://plain.example/": true,
		"https://a.b.wild.example:8443/x": true, "https://wild.example:8443/": false, "https://a.wild.example/": false,
		"https://dir.example/lib/x/y.css": true, "https://dir.example/lib": false, "https://dir.example/other": false,
		"https://file.example/a%20b.css": true, "https://file.example/a%20b.css/c": false,
		"": false, "a.css": false, "data:text/css,": false, "https://%zz/": false,
	} {
		if a.Covers("style", address) != want {
			t.Errorf("%q: %v", address, !want)
		}
		if a.Covers("font", address) {
			t.Errorf("%q is allowed as a font", address)
		}
	}
}

// C5: unless the author allows something, the policy contains nothing unsafe.
func TestPolicyWithoutAllowListIsStrict(t *testing.T) {
	got := Page{}.Policy()
	if strings.Contains(got, "unsafe") || strings.Contains(got, "report") ||
		!strings.Contains(got, "; script-src 'self'; style-src 'self'; ") {
		t.Error(got)
	}
}

func TestDecodeChecksEverySource(t *testing.T) {
	got := Decode([]byte(`{"script": ["https://a.example", "'unsafe-inline'", "x; y"], "object": ["https://b.example"],
		"style": "no list"}`))
	if got != nil {
		t.Errorf("a file with a different structure is accepted: %v", got)
	}
	got = Decode([]byte(`{"script": ["https://a.example", "'unsafe-inline'", "x; y"], "object": ["https://b.example"]}`))
	if len(got) != 1 || len(got["script"]) != 1 || got["script"][0] != "https://a.example" {
		t.Errorf("%v", got)
	}
}

func FuzzPolicyHasOnlyItsOwnDirectives(f *testing.F) {
	for _, s := range []string{"https://a.example", "'unsafe-inline'", "x;y", "a,b", "\n", "https://*.a.example/x%3b"} {
		f.Add(s)
	}
	want := strings.Count(Page{}.Policy(), ";")
	f.Fuzz(func(t *testing.T, s string) {
		for _, kind := range Kinds() {
			if Check(kind, s) != nil {
				continue
			}
			got := Page{Allow: Allow{kind: {s}}}.Policy()
			if strings.Count(got, ";") != want || strings.ContainsAny(got, ",\r\n\x00") {
				t.Fatalf("%s %q gives %q", kind, s, got)
			}
			if kind == "script" && strings.Contains(got, "'unsafe-inline'") {
				t.Fatalf("inline scripts are allowed by %q", s)
			}
		}
	})
}
