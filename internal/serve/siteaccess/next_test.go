package siteaccess

import (
	"net/url"
	"strings"
	"testing"
)

// Whatever the input, the result leads to the same host in every way in which browsers are known to interpret URLs.
func FuzzSafeNext(f *testing.F) {
	for _, seed := range []string{"/a?b=c", "//evil.example", `/\evil.example`, "/%2f%2fevil.example", "/\t/evil.example",
		"https:evil.example", "/a/..//evil.example", "/login?next=/", "/%0d%0aX: y", "/ü", "/a%20b", "/a b", "?x",
		"//", "//?x", "/? x", ""} {
		f.Add(seed)
	}
	here := &url.URL{Scheme: "https", Host: "docs.example.com", Path: "/login"}
	f.Fuzz(func(t *testing.T, address string) {
		next := safeNext(address)
		if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
			strings.ContainsAny(next, "\\\r\n\t \x00") || strings.HasPrefix(next, "/login") && len(next) == len("/login") {
			t.Fatalf("%q leads to %q", address, next)
		}
		to, err := here.Parse(next)
		if err != nil || to.Host != here.Host || to.Scheme != here.Scheme || to.User != nil {
			t.Fatalf("%q leads to %v (error %v)", address, to, err)
		}
		if again := safeNext(next); again != next {
			t.Fatalf("%q leads to %q, which leads to %q", address, next, again)
		}
	})
}
