package project_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func TestDomainsAreHostNames(t *testing.T) {
	for in, want := range map[string]string{"Docs.Example.COM": "docs.example.com", "docs.localhost": "docs.localhost",
		"a.b.": "a.b", "xn--bcher-kva.example": "xn--bcher-kva.example"} {
		if got, err := project.CleanDomain(in); err != nil || got != want {
			t.Errorf("%q: %q %v", in, got, err)
		}
	}
	for _, bad := range []string{"", "localhost", "https://a.b", "a.b:80", "a.b/C", "127.0.0.1", "::1", "-a.b", "a..b",
		"127.1", "0x7f.1", "1.2.3", "256.1.1.1", "a.0x7f", "bücher.example", "a b.c", "u@a.b"} {
		if got, err := project.CleanDomain(bad); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

func TestFoldersOutsideTheRootAreRefused(t *testing.T) {
	for in, want := range map[string]string{"": "", "/": "", "docs": "docs", "/docs/": "docs", "./a/./b": "a/b"} {
		if got, err := project.CleanFolder(in); err != nil || got != want {
			t.Errorf("%q: %q %v", in, got, err)
		}
	}
	for _, bad := range []string{"..", "../x", "a/../../b", "a/..", "a\x00b"} {
		if got, err := project.CleanFolder(bad); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

func TestSourceIsFolderOrRepository(t *testing.T) {
	for _, good := range []project.Source{{Path: "/srv/docs"},
		{Repository: "https://example.com/a.git", Branch: "main"}} {
		if _, err := project.CleanSource(good); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
	for _, bad := range []project.Source{{}, {Path: "/a", Repository: "https://x"}, {Path: "rel"},
		{Path: "/a", Branch: "main"}} {
		if _, err := project.CleanSource(bad); !fault.Is(err, fault.Invalid) {
			t.Errorf("%+v accepted", bad)
		}
	}
}

func TestSourceNeedsAbsoluteURL(t *testing.T) {
	for want, s := range map[string]project.Source{
		"https://git.example.com/a/b.git":    {Repository: "https://git.example.com/a/b.git"},
		"ssh://git@git.example.com/a/b.git":  {Repository: "git@git.example.com:a/b.git"},
		"ssh://git@git.example.com:22/a.git": {Repository: "ssh://git@git.example.com:22/a.git"},
		"ssh://host/a/b":                     {Repository: "host:a/b"},
		"builtin://docs":                     {Repository: "builtin://docs"},
		"file:///srv/my%20docs":              {Path: "/srv/my docs"},
	} {
		if got := s.URL(); got != want {
			t.Errorf("%+v: %s, want %s", s, got, want)
		}
	}
}
