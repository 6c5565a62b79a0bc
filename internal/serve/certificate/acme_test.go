package certificate

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mholt/acmez/v3/acme"

	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/dns"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/pebble"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
)

var database *postgres.Server

func TestMain(m *testing.M) { postgres.Main(m, &database) }

// world is a certificate authority, with the data shared by several servers.
type world struct {
	t *testing.T
	// host names of the servers; the last one does not resolve. The library remembers orders by name for the whole
	// process, so each world has different names.
	docs, other, lost string

	authority *pebble.Server
	url       string // database URL
	roots     *x509.CertPool

	mu  sync.Mutex
	now time.Time
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) advance(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// node is one server: its manager, its listeners and its database connection.
type node struct {
	*Manager
	address string
	store   *store.Store
}

// pairOfListeners returns the listeners that respond to challenges.
func pairOfListeners(t *testing.T) (secure, plain net.Listener) {
	t.Helper()
	for _, l := range []*net.Listener{&secure, &plain} {
		var err error
		if *l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
	}
	return secure, plain
}

func portOf(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

// newWorld starts an authority that connects to the given listeners. Every name except lost resolves to this machine.
func newWorld(t *testing.T, url string, secure, plain net.Listener) *world {
	t.Helper()
	names := dns.Start(t, func(name string) []netip.Addr {
		if strings.HasPrefix(name, "lost.") {
			return nil
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	})
	suffix := strings.ToLower(rand.Text()) + ".example.com"
	w := &world{t: t, url: url, now: time.Now(), docs: "docs." + suffix, other: "other." + suffix, lost: "lost." + suffix,
		authority: pebble.Start(t, pebble.Options{DNS: names.Addr(), HTTPPort: portOf(plain), TLSPort: portOf(secure)})}
	w.roots = w.authority.Roots(t)
	return w
}

// start runs a server on the listeners. Without a plain listener it responds to challenges only over TLS.
func (w *world) start(secure, plain net.Listener) *node {
	w.t.Helper()
	st, err := store.Open(w.t.Context(), store.Options{URL: w.url, Now: w.clock})
	if err != nil {
		w.t.Fatal(err)
	}
	raw, err := os.ReadFile(w.authority.RootFile)
	if err != nil {
		w.t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(raw)
	opt := Options{Store: st, Masters: [][]byte{[]byte(strings.Repeat("k", 32))}, Directory: w.authority.Directory,
		Email: "ops@example.com", Roots: pool, TLSPort: portOf(secure), Now: w.clock, Rand: rand.Reader, Logger: slog.New(slog.DiscardHandler),
		Serves: func(_ context.Context, host string) (bool, error) {
			return slices.Contains([]string{w.docs, w.other, w.lost}, host), nil
		}}
	if plain != nil {
		opt.HTTPPort = portOf(plain)
	}
	n := &node{Manager: New(opt), address: secure.Addr().String(), store: st}
	handler := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(rw, r.Proto) })
	server := &http.Server{Handler: handler, TLSConfig: n.TLS(), ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0)}
	done := make(chan struct{}, 2)
	go func() { _ = server.ServeTLS(secure, "", ""); done <- struct{}{} }()
	plainServer := &http.Server{Handler: n.Challenges(http.NotFoundHandler())}
	if plain != nil {
		go func() { _ = plainServer.Serve(plain); done <- struct{}{} }()
	} else {
		done <- struct{}{}
	}
	w.t.Cleanup(func() {
		_, _ = server.Close(), plainServer.Close()
		<-done
		<-done
		n.Close()
		_ = st.Close()
	})
	return n
}

// visit makes a request like a browser that trusts the authority, and returns the server's certificate.
func (w *world) visit(n *node, host string) (*x509.Certificate, error) {
	client := &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{
		ForceAttemptHTTP2: true, TLSHandshakeTimeout: 2 * time.Minute, TLSClientConfig: &tls.Config{RootCAs: w.roots},
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", n.address)
		}}}
	defer client.CloseIdleConnections()
	response, err := client.Get("https://" + host + "/")
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if string(body) != "HTTP/2.0" {
		w.t.Errorf("%s was served over %s", host, body)
	}
	return response.TLS.PeerCertificates[0], err
}

func (w *world) mustVisit(n *node, host string) *x509.Certificate {
	w.t.Helper()
	c, err := w.visit(n, host)
	if err != nil {
		state, _ := n.State(w.t.Context(), host)
		w.t.Fatalf("%s: %v, state %+v\n%s", host, err, state, w.authority.Output())
	}
	return c
}

// onBothDatabases runs a test on SQLite and on PostgreSQL.
func onBothDatabases(t *testing.T, test func(t *testing.T, url string)) {
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, storetest.SQLite(t, filepath.Join(t.TempDir(), "lectern.db")))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		url := database.Database(t)
		if err := storetest.Migrate(t.Context(), url); err != nil {
			t.Fatal(err)
		}
		test(t, url)
	})
}

// The authority connects only to the first server. The second one's orders succeed because the servers share all
// challenges.
func TestServersShareCertificatesAndChallenges(t *testing.T) {
	t.Parallel()
	onBothDatabases(t, func(t *testing.T, url string) {
		secure, plain := pairOfListeners(t)
		w := newWorld(t, url, secure, plain)
		first := w.start(secure, plain)
		second := w.start(pairOfListeners(t))
		serial := w.mustVisit(first, w.docs).SerialNumber
		if again := w.mustVisit(second, w.docs).SerialNumber; again.Cmp(serial) != 0 {
			t.Errorf("the second server has certificate %v, the first %v", again, serial)
		}
		w.mustVisit(second, w.other)
		state, err := first.State(t.Context(), w.other)
		if err != nil || state.NotAfter == nil || state.NotAfter.Before(time.Now()) ||
			state.Reason != "" || state.Status != Valid || !slices.Equal(state.Names, []string{w.other}) ||
			!strings.Contains(state.Issuer, "Pebble") {
			t.Errorf("state %+v, %v", state, err)
		}
		files, err := first.store.ListCertificateFiles(t.Context(), "")
		if err != nil || len(files) < 6 {
			t.Fatalf("%d files: %v", len(files), err)
		}
		for _, f := range files {
			if strings.Contains(f.Sealed, "BEGIN") || len(f.Sealed) < int(f.Size) {
				t.Errorf("%s is not encrypted", f.Name)
			}
		}
	})
}

func TestTLSChallengeNeedsNoSecondPort(t *testing.T) {
	t.Parallel()
	secure, plain := pairOfListeners(t)
	defer func() { _ = plain.Close() }()
	w := newWorld(t, storetest.SQLite(t, filepath.Join(t.TempDir(), "lectern.db")), secure, plain)
	w.mustVisit(w.start(secure, nil), w.docs)
}

// Anyone can open a connection with any host name.
func TestUnservedHostsGetNoCertificate(t *testing.T) {
	t.Parallel()
	secure, plain := pairOfListeners(t)
	w := newWorld(t, storetest.SQLite(t, filepath.Join(t.TempDir(), "lectern.db")), secure, plain)
	n := w.start(secure, plain)
	for _, host := range []string{"stranger.example.com", w.docs + ".evil.test", "x." + w.docs} {
		if _, err := w.visit(n, host); err == nil {
			t.Errorf("%s was served", host)
		}
	}
	files, err := n.store.ListCertificateFiles(t.Context(), "")
	if err != nil || len(files) != 0 {
		t.Errorf("%d files are stored: %v", len(files), err)
	}
	if out := w.authority.Output(); strings.Contains(out, "new-order") {
		t.Errorf("requests to the authority:\n%s", out)
	}
}

// A failed order is explained and not repeated for each visitor; other hosts are not affected.
func TestFailedOrdersAreNotRepeatedImmediately(t *testing.T) {
	t.Parallel()
	secure, plain := pairOfListeners(t)
	w := newWorld(t, storetest.SQLite(t, filepath.Join(t.TempDir(), "lectern.db")), secure, plain)
	n := w.start(secure, plain)
	host := w.lost
	orders := func() int { return strings.Count(w.authority.Output(), "Added order") }
	made := 0
	for visit := range 3 {
		if _, err := w.visit(n, host); err == nil {
			t.Fatal("a certificate was issued for a host that does not resolve")
		}
		if visit == 0 {
			made = orders() // one for each kind of challenge
		}
	}
	if made == 0 || orders() != made {
		t.Errorf("%d orders for the first visitor, %d for three", made, orders())
	}
	state, err := n.State(t.Context(), host)
	if err != nil || state.Reason == "" || state.Next == nil || state.NotAfter != nil ||
		state.Status != Failed {
		t.Fatalf("state %+v, %v", state, err)
	}
	if pause := state.Next.Sub(w.clock()); pause != firstPause {
		t.Errorf("pause of %s", pause)
	}
	w.mustVisit(n, w.docs)
	made = orders()
	if _, err := w.visit(n, host); err == nil || orders() != made {
		t.Errorf("%v; %d orders, want %d", err, orders(), made)
	}
	w.advance(firstPause)
	if _, err := w.visit(n, host); err == nil || orders() <= made {
		t.Errorf("%v; %d orders after the pause", err, orders())
	}
	if state, _ = n.State(t.Context(), host); state.Next.Sub(w.clock()) != 2*firstPause {
		t.Errorf("second pause ends at %v", state.Next)
	}
}

// An order left behind by a dead process counts as pending only until the time limit for orders.
func TestStateShowsPendingOrders(t *testing.T) {
	t.Parallel()
	secure, plain := pairOfListeners(t)
	w := newWorld(t, storetest.SQLite(t, filepath.Join(t.TempDir(), "lectern.db")), secure, plain)
	n := w.start(secure, plain)
	status := func() Status {
		state, err := n.State(t.Context(), w.docs)
		if err != nil {
			t.Fatal(err)
		}
		return state.Status
	}
	if got := status(); got != None {
		t.Errorf("before the first order: %s", got)
	}
	if err := n.onEvent(t.Context(), "cert_obtaining", map[string]any{"identifier": w.docs}); err != nil {
		t.Fatal(err)
	}
	if got := status(); got != Pending {
		t.Errorf("during the order: %s", got)
	}
	w.advance(obtainLife)
	if got := status(); got != None {
		t.Errorf("after a process died: %s", got)
	}
	w.mustVisit(n, w.docs)
	if got := status(); got != Valid {
		t.Errorf("after the order: %s", got)
	}
}

func TestPausesGrowUpToLimit(t *testing.T) {
	at := time.Unix(0, 0)
	for count, want := range map[int]time.Duration{1: firstPause, 2: 2 * firstPause, 3: 4 * firstPause, 100: lastPause} {
		if got := (failure{Count: count, At: at}).next().Sub(at); got != want {
			t.Errorf("after %d failures: %s, want %s", count, got, want)
		}
	}
}

func TestReasonComesFromAuthority(t *testing.T) {
	problem := acme.Problem{Type: "urn:ietf:params:acme:error:dns", Detail: "no such name"}
	if got := reason(fmt.Errorf("order: %w", problem)); got != "no such name" {
		t.Errorf("authority's error: %q", got)
	}
	if got := reason(errors.New("no connection")); got != "no connection" {
		t.Errorf("other error: %q", got)
	}
}
