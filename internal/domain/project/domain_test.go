package project_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
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

// One name has one stored form, whatever it is written like; what is no name of a site is refused.
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
