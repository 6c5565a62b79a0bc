package cli

import (
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/dns"
)

// A second organization's domain is pending until the operator approves it or its ownership is proven; releasing it
// makes it unavailable again.
func TestDomainsAreApprovedAndReleasedByTheOperator(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	second := strings.TrimSpace(invoke(t, "org", "create", "Second", "--plan", "enterprise", "--data", s.data).
		want(t, 0).stdout)
	s.key = strings.TrimSpace(invoke(t, "keys", "create", "--organization", second, "--data", s.data).want(t, 0).stdout)
	made := s.call(t, "projects", "create", "--name", "Docs", "--domain", "docs.acme.test", "--repository",
		"https://git.example.com/a/b.git").
		want(t, 0, "docs.acme.test is pending", "_lectern-challenge.docs.acme.test  TXT  lectern-",
			"/.well-known/lectern-challenge/")
	if id := strings.TrimSpace(made.stdout); !strings.HasPrefix(id, "prj_") || strings.Contains(id, "\n") {
		t.Errorf("printed %q", made.stdout)
	}
	s.call(t, "projects", "create", "--name", "Laptop", "--domain", "second.localhost", "--repository",
		"https://git.example.com/a/b.git").want(t, 0)
	if out := s.call(t, "domains", "list").want(t, 0, "lectern domains verify docs.acme.test").
		stdout; !strings.Contains(out, "docs.acme.test    pending") ||
		!strings.Contains(out, "second.localhost  held     open") {
		t.Errorf("listed\n%s", out)
	}
	s.call(t, "exports", "start", "docs.acme.test").want(t, 4, "no site on this domain")
	invoke(t, "org", "domains", "approve", "docs.acme.test", "--data", s.data).want(t, 2, "organizations")
	invoke(t, "org", "domains", "approve", "Docs.Acme.Test", "--organization", second, "--data", s.data).
		want(t, 0, "docs.acme.test is now held")
	if out := s.call(t, "domains", "verify", "docs.acme.test").want(t, 0).stdout; out != "held\n" {
		t.Errorf("printed %q", out)
	}
	s.call(t, "exports", "start", "docs.acme.test").want(t, 0)
	if out := invoke(t, "org", "domains", "list", "--data", s.data).want(t, 0).
		stdout; !strings.Contains(out, "docs.acme.test    held   operator") {
		t.Errorf("listed\n%s", out)
	}
	invoke(t, "org", "domains", "release", "docs.acme.test", "--data", s.data).
		want(t, 0, "docs.acme.test is now free; it was held")
	s.call(t, "exports", "start", "docs.acme.test").want(t, 4)
	invoke(t, "org", "domains", "release", "docs.acme.test", "--data", s.data).want(t, 4)
}

// A real server queries the operator's name server. It never serves the proof of a pending domain itself, so a host
// name that points to the server proves nothing. Otherwise, every organization on the server could prove such a name.
func TestDomainIsVerifiedThroughTheOperatorsNameServer(t *testing.T) {
	t.Parallel()
	// every name resolves to this machine
	names := dns.Start(t, func(string) []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.1")} })
	s := startServer(t, "--domains-resolver", names.Addr(), "--allow-address", "127.0.0.1")
	second := strings.TrimSpace(invoke(t, "org", "create", "Second", "--data", s.data).want(t, 0).stdout)
	s.key = strings.TrimSpace(invoke(t, "keys", "create", "--organization", second, "--data", s.data).want(t, 0).stdout)
	s.call(t, "projects", "create", "--name", "Docs", "--domain", "docs.acme.test", "--repository",
		"https://git.example.com/a/b.git").want(t, 0)
	cl, err := client.New(s.url, s.key)
	if err != nil {
		t.Fatal(err)
	}
	list, err := cl.ListDomains(t.Context(), client.ListDomainsParams{Limit: 10})
	if err != nil || len(list.Domains) != 1 || list.Domains[0].Challenge == nil {
		t.Fatalf("%+v %v", list, err)
	}
	challenge := *list.Domains[0].Challenge
	path := strings.TrimPrefix(challenge.File.URL, "http://docs.acme.test")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "docs.acme.test"
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if body, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusNotFound ||
		strings.Contains(string(body), challenge.File.Content) {
		t.Errorf("the server answers for a pending domain: %d %s (error %v)", res.StatusCode, body, err)
	}
	s.call(t, "domains", "verify", "docs.acme.test").
		want(t, 5, "there is no TXT record at _lectern-challenge.docs.acme.test")
	names.SetTXT(challenge.DNS.Name, "unrelated", challenge.DNS.Value)
	s.call(t, "domains", "verify", "docs.acme.test").want(t, 0)
	if out := s.call(t, "domains", "certificate", "docs.acme.test").want(t, 0).stdout; !strings.Contains(out,
		"none         proxy") || !strings.Contains(out, "unknown") { // the server has no public address
		t.Errorf("printed\n%s", out)
	}
	s.call(t, "domains", "certificate", "other.acme.test").want(t, 4)
}
