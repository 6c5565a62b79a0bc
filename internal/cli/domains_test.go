package cli

import (
	"strings"
	"testing"
)

// A second organization's domain is pending until its operator approves it, or it is proven; releasing it takes it off again.
func TestDomainsAreApprovedAndReleasedByTheOperator(t *testing.T) {
	s := startServer(t)
	second := strings.TrimSpace(invoke(t, "org", "create", "Second", "--plan", "enterprise", "--data", s.data).want(t, 0).stdout)
	s.key = strings.TrimSpace(invoke(t, "keys", "create", "--organization", second, "--data", s.data).want(t, 0).stdout)
	made := s.call(t, "projects", "create", "--name", "Docs", "--domain", "docs.acme.test", "--repository", "https://git.example.com/a/b.git").
		want(t, 0, "docs.acme.test is pending", "_lectern-challenge.docs.acme.test  TXT  lectern-", "/.well-known/lectern-challenge/")
	if id := strings.TrimSpace(made.stdout); !strings.HasPrefix(id, "prj_") || strings.Contains(id, "\n") {
		t.Errorf("printed %q", made.stdout)
	}
	s.call(t, "projects", "create", "--name", "Laptop", "--domain", "second.localhost", "--repository", "https://git.example.com/a/b.git").want(t, 0)
	if out := s.call(t, "domains", "list").want(t, 0, "lectern domains verify docs.acme.test").stdout; !strings.Contains(out, "docs.acme.test    pending") ||
		!strings.Contains(out, "second.localhost  held     open") {
		t.Errorf("listed\n%s", out)
	}
	s.call(t, "exports", "start", "docs.acme.test").want(t, 4, "no site on this domain")
	invoke(t, "org", "domains", "approve", "docs.acme.test", "--data", s.data).want(t, 2, "organizations")
	invoke(t, "org", "domains", "approve", "Docs.Acme.Test", "--organization", second, "--data", s.data).want(t, 0, "docs.acme.test is now held")
	if out := s.call(t, "domains", "verify", "docs.acme.test").want(t, 0).stdout; out != "held\n" {
		t.Errorf("printed %q", out)
	}
	s.call(t, "exports", "start", "docs.acme.test").want(t, 0)
	if out := invoke(t, "org", "domains", "list", "--data", s.data).want(t, 0).stdout; !strings.Contains(out, "docs.acme.test    held   operator") {
		t.Errorf("listed\n%s", out)
	}
	invoke(t, "org", "domains", "release", "docs.acme.test", "--data", s.data).want(t, 0, "docs.acme.test is free; it was held")
	s.call(t, "exports", "start", "docs.acme.test").want(t, 4)
	invoke(t, "org", "domains", "release", "docs.acme.test", "--data", s.data).want(t, 4)
}
