package domainproof_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/domainproof"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/dns"
)

const domain = "docs.acme.test"

var (
	ours   = project.NewChallenge([]byte("master"), "org_ours", domain)
	theirs = project.NewChallenge([]byte("master"), "org_theirs", domain)
)

func guard(t *testing.T, allow ...string) *outbound.Guard {
	t.Helper()
	g, err := outbound.NewGuard(allow)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func nowhere(string) []netip.Addr { return nil }

// A TXT record proves the domain only for the organization whose challenge it contains.
func TestTXTRecordProvesDomainForOneOrganization(t *testing.T) {
	names := dns.Start(t, nowhere)
	c := domainproof.New(guard(t).AskingAt(names.Addr()))
	refused := func(challenge project.Challenge, says string) {
		t.Helper()
		_, err := c.Check(t.Context(), domain, []project.Challenge{challenge})
		if f, ok := fault.As(err); !ok || f.Code != "domain_not_proven" || !strings.Contains(f.Hint, says) {
			t.Errorf("%v", err)
		}
	}
	refused(ours, "there is no TXT record")
	names.SetTXT(ours.Record, "v=spf1 -all", theirs.Value, ours.Value[:20], ours.Value+"x")
	refused(ours, "none of the 4")
	names.SetTXT("_lectern-challenge.acme.test", ours.Value) // record of the parent domain
	refused(ours, "none of the 4")
	names.SetTXT(ours.Record, "v=spf1 -all", ours.Value)
	if proof, err := c.Check(t.Context(), domain, []project.Challenge{ours}); err != nil || proof != project.ProofDNS {
		t.Errorf("%q %v", proof, err)
	}
	refused(theirs, "none of the 2")
	// After a change of the master key, the earlier challenge is still accepted.
	newer := project.NewChallenge([]byte("newer"), "org_ours", domain)
	if proof, err := c.Check(t.Context(), domain, []project.Challenge{newer, ours}); err != nil ||
		proof != project.ProofDNS {
		t.Errorf("%q %v", proof, err)
	}
}

// webServer starts a web server on 127.0.0.80 and returns its port.
func webServer(t *testing.T, h http.Handler) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.80:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &httptest.Server{Listener: l, Config: &http.Server{Handler: h}}
	s.Start()
	t.Cleanup(s.Close)
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port
}

// A file proves the domain if one of its lines is exactly the value. Echoes of the path, redirects and errors do not.
func TestFileProvesDomain(t *testing.T) {
	names := dns.Start(t, func(string) []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.80")} })
	answer := func(http.ResponseWriter, *http.Request) {}
	port := webServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(w, r) }))
	c := domainproof.New(guard(t, "127.0.0.80").AskingAt(names.Addr())).AtPort(port)
	for name, tc := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request)
		says   string
	}{
		"not found": {http.NotFound, "returned status 404"},
		"an echo": {func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "You asked for", r.URL) },
			"does not contain the value"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			if r.Host == domain+":"+port {
				http.Redirect(w, r, "http://evil.test:"+port+r.URL.Path, http.StatusFound)
				return
			}
			fmt.Fprintln(w, ours.Value)
		}, "returned status 302"},
		"inside a line": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "x"+ours.Value) },
			"does not contain the value"},
		"another's": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, theirs.Value) },
			"does not contain the value"},
		"more than enough": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintln(w, strings.Repeat("x\n", 4096), ours.Value)
		}, "File: "},
		"an error page": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			fmt.Fprintln(w, ours.Value)
		}, "returned status 502"},
	} {
		answer = tc.answer
		_, err := c.Check(t.Context(), domain, []project.Challenge{ours})
		if f, ok := fault.As(err); !ok || f.Code != "domain_not_proven" || !strings.Contains(f.Hint, tc.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	answer = func(w http.ResponseWriter, r *http.Request) {
		if r.Host != domain+":"+port || r.URL.Path != ours.Path {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, theirs.Value, "\r\n", ours.Value)
	}
	if proof, err := c.Check(t.Context(), domain, []project.Challenge{ours}); err != nil || proof != project.ProofFile {
		t.Errorf("%q %v", proof, err)
	}
}

// F2: no file is requested from a host that resolves to a private address, even if a server responds there.
func TestPrivateAddressesAreNotQueried(t *testing.T) {
	names := dns.Start(t, func(string) []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.80")} })
	asked := false
	port := webServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked = true
		fmt.Fprintln(w, ours.Value)
	}))
	_, err := domainproof.New(guard(t).AskingAt(names.Addr())).AtPort(port).
		Check(t.Context(), domain, []project.Challenge{ours})
	if f, ok := fault.As(err); !ok || !strings.Contains(f.Hint, "may not connect") || asked {
		t.Errorf("asked %v: %v", asked, err)
	}
}

// F7: an air-gapped server does no lookups unless its operator configured a name server for them.
func TestClosedServerMakesNoRequests(t *testing.T) {
	names := dns.Start(t, nowhere)
	names.SetTXT(ours.Record, ours.Value)
	closed := guard(t).Resolving(names.Resolver()).Closed()
	_, err := domainproof.New(closed).Check(t.Context(), domain, []project.Challenge{ours})
	if f, ok := fault.As(err); !ok || !strings.Contains(f.Hint, "may not look up") || names.Asked(ours.Record) != 0 ||
		names.Asked(domain) != 0 {
		t.Errorf("%d and %d lookups: %v", names.Asked(ours.Record), names.Asked(domain), err)
	}
	if proof, err := domainproof.New(closed.AskingAt(names.Addr())).
		Check(t.Context(), domain, []project.Challenge{ours}); err != nil || proof != project.ProofDNS {
		t.Errorf("%q %v", proof, err)
	}
}

// A domain points here if all its addresses are the server's. Private addresses of other hosts are not shown.
func TestLocateComparesAddressesAndSuggestsRecords(t *testing.T) {
	hosts := map[string][]string{"lectern.acme.test": {"192.0.2.1", "2001:db8::1"}, "docs.acme.test": {"192.0.2.1"},
		"acme.test": {"192.0.2.1", "93.184.216.34"}, "db.acme.test": {"10.0.0.7"}}
	names := dns.Start(t, func(name string) (out []netip.Addr) {
		for _, a := range hosts[name] {
			out = append(out, netip.MustParseAddr(a))
		}
		return out
	})
	c := domainproof.New(guard(t).AskingAt(names.Addr()))
	alias := func(name string) string { return "[{CNAME " + name + " lectern.acme.test}]" }
	both := "[{A acme.test 192.0.2.1} {AAAA acme.test 2001:db8::1}]"
	for _, tc := range []struct{ domain, own, target, addresses, records string }{
		{"docs.acme.test", "lectern.acme.test", "here", "[192.0.2.1]", alias("docs.acme.test")},
		{"acme.test", "lectern.acme.test", "elsewhere", "[93.184.216.34 192.0.2.1]", both},
		{"db.acme.test", "lectern.acme.test", "elsewhere", "[]", alias("db.acme.test")},
		{"new.acme.test", "lectern.acme.test", "missing", "[]", alias("new.acme.test")},
		{"docs.acme.test", "192.0.2.1", "here", "[192.0.2.1]", "[{A docs.acme.test 192.0.2.1}]"},
		{"docs.acme.test", "nowhere.acme.test", "unknown", "[]", "[{CNAME docs.acme.test nowhere.acme.test}]"},
		{"docs.acme.test", "", "unknown", "[]", "[]"},
		{"docs.localhost", "lectern.acme.test", "unknown", "[]", "[]"},
	} {
		l := c.Locate(t.Context(), tc.domain, tc.own)
		if string(l.Target) != tc.target || fmt.Sprint(l.Addresses) != tc.addresses || fmt.Sprint(l.Records) != tc.records {
			t.Errorf("%s for %q: %+v", tc.domain, tc.own, l)
		}
	}
	asked := names.Asked(domain)
	if l := domainproof.New(guard(t).Closed()).Locate(t.Context(), domain, "lectern.acme.test"); l.Target != "unknown" ||
		names.Asked(domain) != asked {
		t.Errorf("an air-gapped server: %+v", l)
	}
}
