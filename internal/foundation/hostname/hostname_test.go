package hostname_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/hostname"
)

func TestCleanIgnoresCasePortBracketsAndTrailingDot(t *testing.T) {
	for in, want := range map[string]string{
		"localhost": "localhost", "LOCALHOST": "localhost", "LocalHost.": "localhost", "LOCALHOST:8080": "localhost",
		"localhost.:8080":  "localhost",
		"Docs.Example.COM": "docs.example.com", "docs.example.com.:443": "docs.example.com",
		"127.0.0.1:80": "127.0.0.1",
		"[::1]":        "::1", "[::1]:8080": "::1", "::1": "::1", "[2001:DB8::A]:80": "2001:db8::a", "": "",
		"docs.example.com:": "docs.example.com",
	} {
		if got := hostname.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestIsLocalRecognizesEverySpellingOfLocalhost(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST": true, "LOCALHOST.:80": true, "docs.LOCALHOST": true, "127.0.0.1": true,
		"127.8.9.10:80": true, "[::1]:80": true, "::1": true,
		"[::FFFF:127.0.0.1]": true, "::ffff:127.0.0.1": true,
		"notlocalhost": false, "localhost.example.com": false, "128.0.0.1": false, "[2001:db8::1]": false, "": false,
		"127.0.0.1.example.com": false, "0.0.0.0": false,
	} {
		if got := hostname.IsLocal(host); got != want {
			t.Errorf("IsLocal(%q) = %v", host, got)
		}
	}
}
