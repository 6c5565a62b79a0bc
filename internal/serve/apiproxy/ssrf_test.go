package apiproxy_test

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lectern-docs/lectern/internal/serve/apiproxy"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/dns"
)

// zone returns a name's addresses in the tests' name server. Names below nip.test contain their address, as with
// public services of that kind.
func zone(name string) []netip.Addr {
	if before, ok := strings.CutSuffix(name, ".nip.test"); ok {
		if before == "7f000001" {
			before = "127.0.0.1"
		}
		before = strings.TrimPrefix(strings.ReplaceAll(before, "-", "."), "www.")
		return []netip.Addr{netip.MustParseAddr(before)}
	}
	known := map[string]string{
		"inner.test": "127.0.0.1", "deep.inner.test": "10.0.0.1", "six.test": "::1", "mapped.test": "::ffff:127.0.0.1",
		"ula.test": "fd00:ec2::254", "zero.test": "0.0.0.0", "nat64.test": "64:ff9b::7f00:1",
		"cgnat.test":    "100.100.100.200",
		"metadata.test": "169.254.169.254", "metadata.google.internal": "169.254.169.254",
		"instance-data.ec2.internal": "169.254.169.254", "metadata": "169.254.169.254",
		"all-private.test": "127.0.0.1 10.0.0.1 ::1",
		"broadcast.test":   "255.255.255.255", "multicast.test": "224.0.0.1",
		"teredo.test": "2001:0:4136:e378:8000:63bf:3fff:fdd2", "sixtofour.test": "2002:7f00:1::",
		"linklocal.test": "fe80::1", "compatible.test": "::7f00:1",
		"localhost": "127.0.0.1", "docs.localhost": "127.0.0.1", "a.b.localhost": "127.0.0.1",
		"localhost.localdomain": "127.0.0.1", "localhost6": "::1", "ip6-localhost": "::1", "ip6-loopback": "::1",
		"_localhost": "127.0.0.1",
		"127.0.0.1_": "127.0.0.1", "xn--127-0-0-1": "127.0.0.1", "127.0.0.1e0": "127.0.0.1",
		"api.test": "127.0.0.2", "both.test": "127.0.0.1 127.0.0.2",
	}
	var out []netip.Addr
	for a := range strings.FieldsSeq(known[name]) {
		out = append(out, netip.MustParseAddr(a))
	}
	return out
}

// guarded makes 127.0.0.2 stand for the public internet, and uses only the tests' name server.
func guarded(t *testing.T, lookup func(string) []netip.Addr) *outbound.Guard {
	t.Helper()
	guard, err := outbound.NewGuard([]string{"127.0.0.2"})
	if err != nil {
		t.Fatal(err)
	}
	return guard.Resolving(dns.Start(t, lookup).Resolver())
}

// traps listens on one port of every loopback address, next to an API that may be reached.
func traps(t *testing.T) (target *api, reached func() int) {
	t.Helper()
	target = serveAt(t, "127.0.0.2:0", echo)
	var list []*api
	for _, host := range []string{"127.0.0.1", "127.0.0.3", "[::1]"} {
		list = append(list, serveAt(t, host+":"+target.port(), echo))
	}
	return target, func() (n int) {
		for _, a := range list {
			n += a.connections()
		}
		return n
	}
}

// F2: every spelling of an internal address is refused, even if the site's author put it into a published
// description.
func TestNoSpellingReachesInternalAddress(t *testing.T) {
	target, reached := traps(t)
	var addresses []string
	for _, host := range slices.Concat(spelledLoopback, spelledMapped, spelledPrivate, spelledMetadata, spelledOdd,
		spelledFolded, spelledNames) {
		addresses = append(addresses, "http://"+host+":"+target.port()+"/")
	}
	place := strings.NewReplacer("PORT", target.port(), "HOST", "api.test")
	for _, a := range spelledAddresses {
		addresses = append(addresses, place.Replace(a))
	}
	if n := len(slices.Compact(slices.Sorted(slices.Values(addresses)))); n < 300 || n != len(addresses) {
		t.Fatalf("%d of %d spellings differ", n, len(addresses))
	}
	g := open(t, apiproxy.Options{Guard: guarded(t, zone)},
		append(slices.Clone(addresses), "http://api.test", "http://api.test:"+target.port())...)
	for _, a := range addresses {
		if strings.ContainsAny(strings.Trim(a, " \t"), "\r\n\x00") {
			t.Fatalf("%q cannot be sent in a header", a)
		}
		got := g.send(call{target: a})
		if got.Header.Get("Lectern-Status") != "" ||
			got.StatusCode != http.StatusBadRequest && got.StatusCode != http.StatusForbidden {
			t.Errorf("%q: %d %.200s", a, got.StatusCode, got.body)
		}
	}
	if n := reached(); n != 0 {
		t.Errorf("%d connections to internal addresses", n)
	}
	if target.connections() != 0 {
		t.Error("a spelling reached the public host, so it tests nothing")
	}
	t.Logf("%d spellings", len(addresses))
}

// F2: permitted addresses are reached, in the spellings that browsers use.
func TestPermittedAddressesAreReached(t *testing.T) {
	target, reached := traps(t)
	g := open(t, apiproxy.Options{Guard: guarded(t, zone)}, "http://api.test:"+target.port(), target.URL,
		"http://both.test:"+target.port())
	for _, a := range []string{"http://api.test:PORT/", "http://API.TEST:PORT", "HTTP://api.test:PORT/x?y#z",
		"http://api.test.:PORT/", "http://127.0.0.2:PORT/", "http://api.test:PORT/@127.0.0.1/",
		"http://api.test:PORT/?url=http://127.0.0.1/", "http://both.test:PORT/",
		"http://api.test:PORT#@127.0.0.1:PORT\\", "http://api.test:PORT/../@127.0.0.1:PORT"} {
		if got := g.send(call{target: strings.ReplaceAll(a, "PORT",
			target.port())}); got.Header.Get("Lectern-Status") != "418" {
			t.Errorf("%s: %d %s", a, got.StatusCode, got.body)
		}
	}
	if reached() != 0 {
		t.Error("an internal address was reached")
	}
}

// F1: a name that alternates between a public and an internal address reaches the public one or nothing, in 10,000
// attempts.
func TestDNSRebindingNeverReachesInternalAddress(t *testing.T) {
	target, reached := traps(t)
	// So that each attempt resolves the name.
	target.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
	})
	both := [2]netip.Addr{netip.MustParseAddr("127.0.0.2"), netip.MustParseAddr("127.0.0.1")}
	asked := 0
	guard := guarded(t, func(string) []netip.Addr { asked++; return both[asked/2%2 : asked/2%2+1] })
	g := open(t, apiproxy.Options{Guard: guard, PerVisitor: 1 << 20, PerSite: 1 << 20},
		"http://rebind.test:"+target.port())
	const tries, workers = 10_000, 8
	var through, refused atomic.Int64
	done := make(chan bool, workers)
	for range workers {
		go func() {
			defer func() { done <- true }()
			for range tries / workers {
				got := g.send(call{target: "http://rebind.test:" + target.port() + "/"})
				switch {
				case got.Header.Get("Lectern-Status") == "200":
					through.Add(1)
				case got.code == "address_not_allowed":
					refused.Add(1)
				default:
					t.Errorf("%d %s", got.StatusCode, got.body)
				}
			}
		}()
	}
	for range workers {
		<-done
	}
	if reached() != 0 || through.Load() == 0 || refused.Load() == 0 || through.Load()+refused.Load() != tries {
		t.Errorf("%d reached internal, %d public addresses, %d were refused", reached(), through.Load(), refused.Load())
	}
}
