package outbound

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/dns"
)

// blockedSpellings are hosts that denote, in some notation, an address that must not be reached.
var blockedSpellings = []string{
	// loopback
	"127.0.0.1", "127.0.0.2", "127.255.255.254", "127.1", "127.0.1", "2130706433", "017700000001", "0x7f000001",
	"0x7F000001",
	"0177.0.0.1", "0x7f.0.0.1", "0x7f.1", "127.0.0.0x1", "127.000.000.001", "127.0.0.01", "00127.0.0.1", "127.0.0.1.",
	"::1", "0:0:0:0:0:0:0:1", "0000::0001", "::1%lo", "localhost", "LOCALHOST",
	// this host
	"0.0.0.0", "0", "0x0", "00", "0.1.2.3", "::", "0:0:0:0:0:0:0:0",
	// mapped, compatible, translated
	"::ffff:127.0.0.1", "::ffff:7f00:1", "::FFFF:127.0.0.1", "0:0:0:0:0:ffff:127.0.0.1", "::ffff:169.254.169.254",
	"::ffff:10.0.0.1",
	"::ffff:8.8.8.8", "::127.0.0.1", "::7f00:1", "::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::7f00:1",
	"64:ff9b::a9fe:a9fe",
	"64:ff9b:1::7f00:1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
	// private and carrier-grade
	"10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.1.254", "100.64.0.1",
	"100.127.255.255",
	"100.100.100.200", "167772161", "0xa000001", "012.0.0.1", "3232235521", "192.168.257", "0xc0.0xa8.0x0.0x1",
	// link-local and metadata
	"169.254.169.254", "169.254.0.1", "2852039166", "0xa9fea9fe", "0xa9.0xfe.0xa9.0xfe", "0251.0376.0251.0376",
	"169.16689662",
	"fe80::1", "fe80::1%eth0", "febf::1", "fd00:ec2::254", "fc00::1", "fdff::1", "fec0::1", "192.0.0.192",
	// multicast, reserved, documentation, benchmarking
	"224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "ff02::1", "192.0.2.1", "198.51.100.1",
	"203.0.113.1",
	"198.18.0.1", "198.19.255.255", "192.88.99.1", "2001:db8::1", "3fff::1", "100::1", "5f00::1", "4000::1",
	"2001:2::1",
	// not a host name at all
	"127。0。0。1", "①②⑦.⓪.⓪.①", "127.0.0.1\x00.example.com", "127.0.0.1 ", " 127.0.0.1", "", ".", "127.0.0.1/24",
}

// F2: every notation of a private address is refused with the right fault, without a connection.
func TestEverySpellingOfPrivateAddressIsRefused(t *testing.T) {
	if len(blockedSpellings) < 60 {
		t.Fatalf("only %d spellings", len(blockedSpellings))
	}
	g := newGuard(t)
	for _, host := range blockedSpellings {
		conn, err := g.DialContext(t.Context(), "tcp", net.JoinHostPort(host, "9"))
		if conn != nil {
			conn.Close()
			t.Errorf("%q: connected to %v", host, conn.RemoteAddr())
		}
		f, ok := fault.As(err)
		if !ok || f.Kind != fault.Forbidden || f.Code != "address_not_allowed" || f.Hint == "" {
			t.Errorf("%q: got %v, want address_not_allowed", host, err)
		}
	}
}

func TestPublicAddressesAreAllowed(t *testing.T) {
	g := newGuard(t)
	for _, s := range []string{"1.1.1.1", "8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "192.0.1.1",
		"2606:4700::1111", "2a00:1450::1"} {
		if !g.spelling(s) || !g.permits(netip.MustParseAddr(s)) {
			t.Errorf("%s is refused", s)
		}
	}
}

// F6: trusting an address permits only that address.
func TestTrustedAddressAllowsNoNeighbours(t *testing.T) {
	target := listen(t, "127.0.0.2:0")
	_, port, _ := net.SplitHostPort(target.Addr().String())
	for _, allow := range []string{"127.0.0.2", "127.0.0.2/32", "::ffff:127.0.0.2"} {
		g := newGuard(t, allow)
		conn, err := g.DialContext(t.Context(), "tcp", "127.0.0.2:"+port)
		if err != nil {
			t.Fatalf("allow %s: %v", allow, err)
		}
		conn.Close()
		for _, neighbour := range []string{"127.0.0.1", "127.0.0.3", "localhost", "::1"} {
			if _, err := g.DialContext(t.Context(), "tcp", net.JoinHostPort(neighbour, port)); !fault.HasCode(err,
				"address_not_allowed") {
				t.Errorf("allow %s: %s: %v", allow, neighbour, err)
			}
		}
		if !g.Trusts("127.0.0.2") || g.Trusts("127.0.0.1") {
			t.Errorf("allow %s: Trusts disagrees with the list", allow)
		}
	}
}

func TestTrustedNameIsTrustedAtAnyAddress(t *testing.T) {
	target := listen(t, "127.0.0.1:0")
	_, port, _ := net.SplitHostPort(target.Addr().String())
	g := newGuard(t, "LocalHost.")
	conn, err := g.DialContext(t.Context(), "tcp4", "localhost:"+port)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if _, err := g.DialContext(t.Context(), "tcp", "127.0.0.1:"+port); !fault.HasCode(err, "address_not_allowed") {
		t.Fatalf("trusting the name permitted the address: %v", err)
	}
}

func TestInvalidAllowEntryIsReported(t *testing.T) {
	for _, bad := range []string{"", "10.0.0.0/99", "http://x", "a b", "2130706433"} {
		if _, err := NewGuard([]string{bad}); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func TestOnlyTCPIsAllowed(t *testing.T) {
	if _, err := newGuard(t, "127.0.0.1").DialContext(t.Context(), "udp", "127.0.0.1:53"); err == nil {
		t.Fatal("a UDP connection was made")
	}
}

// F1: a name that resolves alternately to an allowed and a private address never reaches the private one.
func TestDNSRebindingNeverReachesPrivateAddress(t *testing.T) {
	var inner atomic.Int64
	open := listen(t, "127.0.0.2:0")
	_, port, _ := net.SplitHostPort(open.Addr().String())
	trap := listen(t, "127.0.0.1:"+port)
	drain(open, nil)
	drain(trap, &inner)
	asked, both := 0, [2]netip.Addr{netip.MustParseAddr("127.0.0.2"), netip.MustParseAddr("127.0.0.1")}
	names := dns.Start(t, func(string) []netip.Addr {
		asked++
		return both[asked/2%2 : asked/2%2+1] // each lookup queries both kinds of address
	})
	g := newGuard(t, "127.0.0.2").Resolving(names.Resolver()) // 127.0.0.2 stands for the public address
	const tries, workers = 10_000, 8
	var reached, refused atomic.Int64
	done := make(chan error, workers)
	for range workers {
		go func() {
			for range tries / workers {
				conn, err := g.DialContext(context.Background(), "tcp", "rebind.test:"+port)
				switch {
				case err == nil:
					reached.Add(1)
					conn.Close()
				case fault.HasCode(err, "address_not_allowed"):
					refused.Add(1)
				default:
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range workers {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if inner.Load() != 0 || reached.Load() == 0 || refused.Load() == 0 {
		t.Fatalf("inner %d, reached %d, refused %d", inner.Load(), reached.Load(), refused.Load())
	}
}

func newGuard(t testing.TB, allow ...string) *Guard {
	t.Helper()
	g, err := NewGuard(allow)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func listen(t testing.TB, addr string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// drain accepts and closes connections, counting them.
func drain(l net.Listener, count *atomic.Int64) {
	go func() {
		for {
			c, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				continue
			}
			if count != nil {
				count.Add(1)
			}
			c.Close()
		}
	}()
}

// F7: a closed guard connects only to hosts that the operator listed, and looks up no other names.
func TestClosedGuardAllowsOnlyListedHosts(t *testing.T) {
	target := listen(t, "127.0.0.2:0")
	drain(target, nil)
	_, port, _ := net.SplitHostPort(target.Addr().String())
	var asked atomic.Int64
	names := dns.Start(t, func(name string) []netip.Addr {
		asked.Add(1)
		return []netip.Addr{netip.MustParseAddr("127.0.0.2")}
	})
	g := newGuard(t, "127.0.0.2", "git.test").Resolving(names.Resolver())
	for _, host := range []string{"127.0.0.2", "git.test", "other.test"} { // names resolve to a listed address
		conn, err := g.DialContext(t.Context(), "tcp", net.JoinHostPort(host, port))
		if err != nil {
			t.Fatalf("open: %s: %v", host, err)
		}
		conn.Close()
	}
	asked.Store(0)
	closed := g.Closed()
	for _, host := range []string{"other.test", "example.com", "1.1.1.1", "8.8.8.8", "2606:4700::1111", "127.0.0.1",
		"sub.git.test", "localhost"} {
		if _, err := closed.DialContext(t.Context(), "tcp", net.JoinHostPort(host, port)); !fault.HasCode(err,
			"address_not_allowed") {
			t.Errorf("%s: %v", host, err)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("%d DNS queries left the server", n)
	}
	for _, host := range []string{"127.0.0.2", "git.test", "GIT.test."} {
		conn, err := closed.DialContext(t.Context(), "tcp", net.JoinHostPort(host, port))
		if err != nil {
			t.Fatalf("%s: %v", host, err)
		}
		conn.Close()
	}
	if _, err := g.DialContext(t.Context(), "tcp", net.JoinHostPort("other.test", port)); err != nil {
		t.Errorf("Closed changed the original guard: %v", err)
	}
}

// A public guard has no list, so hosts that the operator trusts for other purposes are not reachable.
func TestPublicGuardTrustsNoHost(t *testing.T) {
	target := listen(t, "127.0.0.1:0").Addr().String()
	for _, g := range []*Guard{newGuard(t, "127.0.0.1").Public(), newGuard(t).Trusting([]string{target}).Public(),
		newGuard(t, "127.0.0.1").Closed().Public()} {
		if _, err := g.DialContext(t.Context(), "tcp", target); !fault.HasCode(err, "address_not_allowed") {
			t.Errorf("%v", err)
		}
	}
}

// F6: a trusted destination is a host with a port. Other ports of that host are not permitted.
func TestTrustCoversOnePort(t *testing.T) {
	target, beside := listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	g := newGuard(t).Trusting([]string{target.Addr().String()})
	conn, err := g.DialContext(t.Context(), "tcp", target.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	_, port, _ := net.SplitHostPort(target.Addr().String())
	for _, addr := range []string{beside.Addr().String(), "127.0.0.3:" + port, "localhost:" + port,
		"[::ffff:127.0.0.1]:" + port, "127.1:" + port} {
		if _, err := g.DialContext(t.Context(), "tcp", addr); !fault.HasCode(err, "address_not_allowed") {
			t.Errorf("%s: %v", addr, err)
		}
	}
}
