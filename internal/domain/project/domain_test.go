package project_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func TestParentsStopAtPublicAndOpenSuffixes(t *testing.T) {
	policy := project.DomainPolicy{Open: []string{"localhost", "sites.corp.example"}}
	for domain, want := range map[string][]string{
		"example.com":                 nil,
		"docs.example.com":            {"example.com"},
		"a.docs.example.com":          {"docs.example.com", "example.com"},
		"co.uk":                       nil,
		"example.co.uk":               nil,
		"docs.example.co.uk":          {"example.co.uk"},
		"github.io":                   nil,
		"team.github.io":              nil,
		"docs.team.github.io":         {"team.github.io"},
		"docs.localhost":              nil,
		"a.docs.localhost":            {"docs.localhost"},
		"team.sites.corp.example":     nil,
		"api.team.sites.corp.example": {"team.sites.corp.example"},
		"sites.corp.example":          {"corp.example"},
		"docs.internal":               nil,
		"xn--bcher-kva.example.com":   {"example.com"},
	} {
		if got := policy.Parents(domain); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", domain, got, want)
		}
	}
	for domain, want := range map[string]bool{"a.localhost": true, "b.a.localhost": true, "localhost": false,
		"alocalhost":         false,
		"sites.corp.example": false, "x.sites.corp.example": true, "corp.example": false} {
		if policy.IsOpen(domain) != want {
			t.Errorf("%s is open: %v", domain, !want)
		}
	}
}

func TestChallengesBelongToOneOrganizationAndDomain(t *testing.T) {
	value, file := regexp.MustCompile(`^lectern-[0-9A-Za-z]{43}$`),
		regexp.MustCompile(`^/\.well-known/lectern-challenge/[0-9A-Za-z]{20}$`)
	seen := map[string]bool{}
	for _, master := range []string{"one", "two"} {
		for _, org := range []string{"org_a", "org_b"} {
			for _, domain := range []string{"docs.example.com", "example.com"} {
				c := project.NewChallenge([]byte(master), org, domain)
				if c != project.NewChallenge([]byte(master), org, domain) || c.Record != "_lectern-challenge."+domain {
					t.Errorf("%s %s %s gives %+v", master, org, domain, c)
				}
				if !value.MatchString(c.Value) || !file.MatchString(c.Path) || seen[c.Value] || seen[c.Path] {
					t.Errorf("%s %s %s gives %+v", master, org, domain, c)
				}
				if strings.Contains(c.Value, strings.TrimPrefix(c.Path, project.ChallengePath)) {
					t.Errorf("the path of %+v is part of its value", c)
				}
				seen[c.Value], seen[c.Path] = true, true
			}
		}
	}
}

// All ways to write a domain have the same stored form. Invalid names are refused.
func TestDomainsAreNormalized(t *testing.T) {
	for _, s := range []string{"docs.example.com", "DOCS.Example.COM", "docs.example.com.", "Docs.Example.com."} {
		if d, err := project.CleanDomain(s); err != nil || d != "docs.example.com" {
			t.Errorf("%q: %q %v", s, d, err)
		}
	}
	for _, s := range []string{"docs.example.com:8080", "http://docs.example.com", "*.example.com", "docs.*.com",
		"127.0.0.1", "[::1]", "::1", "127.1", "0x7f.1",
		"bücher.example.com", "ｄocs.example.com", "docs。example.com", "localhost", "", ".", "..", "docs..example.com",
		".example.com", "docs.example.com..",
		"_lectern-challenge.example.com", "-a.example.com", "a-.example.com", "user@example.com", "docs.example.com/",
		"docs.example.com%00", "docs example.com",
		"docs.example.com\n", strings.Repeat("a", 64) + ".example.com", strings.Repeat("a.", 127) + "com"} {
		if d, err := project.CleanDomain(s); err == nil {
			t.Errorf("%q was accepted as %q", s, d)
		}
	}
}

// A domain may have a path, which has only one stored form. Paths that servers or browsers interpret differently are
// refused, and so are paths that a site or this server uses itself.
func TestDomainsMayHaveAPath(t *testing.T) {
	for in, want := range map[string]string{
		"example.com/docs": "example.com/docs", "Example.COM/docs/": "example.com/docs", "example.com./docs": "example.com/docs",
		"example.com/a_b/c-d/9":                  "example.com/a_b/c-d/9",
		"example.com/" + strings.Repeat("a", 99): "example.com/" + strings.Repeat("a", 99),
	} {
		if d, err := project.CleanDomain(in); err != nil || d != want {
			t.Errorf("%q: %q %v", in, d, err)
		}
	}
	for _, in := range []string{"example.com//docs", "example.com/docs//", "example.com//", "example.com/Docs", "example.com/.",
		"example.com/..", "example.com/docs/../x", "example.com/a.b", "example.com/a%2fb", "example.com/a%2Fb", "example.com/a b",
		`example.com/a\b`, "example.com/a?b", "example.com/a#b", "example.com/é", "example.com/a:b", "example.com/a/b/c/d",
		"example.com/" + strings.Repeat("a", 100), "example.com:80/docs", "https://example.com/docs", "/docs", "localhost/docs",
		"example.com/docs\n", "example.com/*"} {
		d, err := project.CleanDomain(in)
		if f, ok := fault.As(err); !ok || f.Kind != fault.Invalid || f.Code != "invalid_field" || f.Field != "domain" || d != "" {
			t.Errorf("%q: %q %v", in, d, err)
		}
	}
	for _, in := range []string{"example.com/_lectern", "example.com/docs/login", "example.com/v1", "example.com/mcp/x"} {
		_, err := project.CleanDomain(in)
		if f, ok := fault.As(err); !ok || f.Code != "reserved_domain" || f.Field != "domain" {
			t.Errorf("%q: %v", in, err)
		}
	}
	if host, path := project.SplitDomain("example.com/a/b"); host != "example.com" || path != "/a/b" {
		t.Errorf("%q %q", host, path)
	}
	if a, b := project.NewChallenge([]byte("m"), "org_a", "example.com"), project.NewChallenge([]byte("m"), "org_a",
		"example.com/docs"); a != b {
		t.Errorf("the challenge of a path is %+v, that of its host %+v", b, a)
	}
}

func TestAddressIsTheFirstHeldDomain(t *testing.T) {
	pending, held := project.Domain{Name: "a.example", State: project.DomainPending},
		project.Domain{Name: "b.example/docs", State: project.DomainHeld}
	for want, list := range map[string][]project.Domain{"": nil, "a.example": {pending}, "b.example/docs": {pending, held}} {
		if got := project.Address(list); got != want {
			t.Errorf("%v: %q", list, got)
		}
	}
}
