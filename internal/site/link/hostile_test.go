package link

import (
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site"
)

// The author of a link on another site chooses its path, but must not be able to choose the host of the redirect, no
// matter what the rules are.
func TestRequestCannotChooseRedirectHost(t *testing.T) {
	home := func(base, location string) string {
		b, err := url.Parse(base)
		if err != nil {
			t.Fatal(err)
		}
		clean := strings.ReplaceAll(strings.Map(func(r rune) rune {
			if r == '\t' || r == '\r' || r == '\n' {
				return -1
			}
			return r
		}, location), `\`, "/") // as browsers interpret it
		// any number of slashes, or none
		if scheme, rest, ok := strings.Cut(clean, ":"); ok && (scheme == "http" || scheme == "https") &&
			scheme != b.Scheme {
			clean = scheme + "://" + strings.TrimLeft(rest, "/")
		}
		u, err := b.Parse(clean)
		if err != nil {
			return ""
		}
		return u.Scheme + "//" + u.Host
	}
	destinations := []string{
		"/new/:x*", "/:x*", ":x*", "//:x*", `/\:x*`, "/:x", ":x", "https://own.example/:x*", "https://own.example:x*",
		"https:/:x*", "https::x*", "http:*", "*", "/*", "/a/*", `\:x*`, "./:x*",
		"?:x*", "#:x", "https://own.example?:x*", "https://own.example#:x", "https://own.example:8080/:x*",
		`https:\\:x*`, `https://own.example\@:x*`, "https://own.example@:x*",
	}
	paths := []string{
		"evil.example", "//evil.example", `\\evil.example`, `\evil.example`, "https://evil.example",
		"https:evil.example", "https:/evil.example", "http:evil.example", "@evil.example", ".evil.example",
		":80@evil.example",
		"javascript:alert(1)", "data:text/html,x", "\tevil.example", "/\t/evil.example", "..//evil.example",
		"%2f%2fevil.example", "%5cevil.example", "x/../../evil.example", "evil.example/%2e%2e", "a\r\nb",
	}
	for _, dest := range destinations {
		for _, source := range []string{"/old/:x*", "/old/:x", "/old/*", "/old/p-:x(.*)", "/:x*"} {
			r := NewRedirects([]site.Redirect{{Source: source, Destination: dest}})
			for _, p := range paths {
				for _, at := range []string{"/old/" + p, "/old/p-" + p, "/" + p} {
					to, _, ok := r.Match(at)
					if !ok {
						continue
					}
					if strings.ContainsAny(to, "\r\n\t") || strings.HasPrefix(to, "javascript:") ||
						strings.HasPrefix(to, "data:") {
						t.Errorf("%s → %s: %q leads to %q", source, dest, at, to)
					}
					for _, base := range []string{"http://docs.example/x", "https://docs.example/x"} {
						if got := home(base, to); strings.Contains(got, "evil") {
							t.Errorf("%s → %s: %q leads to %q, at %s", source, dest, at, to, got)
						}
					}
				}
			}
		}
	}
}
