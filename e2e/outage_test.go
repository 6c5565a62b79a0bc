package e2e

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
)

// link is a network path to the database that can be cut or stalled.
type link struct {
	t       *testing.T
	to      string
	address string

	mu       sync.Mutex
	listener net.Listener          // guarded by mu; nil while cut
	open     map[net.Conn]struct{} // guarded by mu
	silent   bool                  // guarded by mu
}

// newLink opens a path to the database and returns the database's URL through it.
func newLink(t *testing.T, databaseURL string) (l *link, through string) {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	l = &link{t: t, to: u.Host, address: "127.0.0.1:0", open: map[net.Conn]struct{}{}}
	l.restore()
	t.Cleanup(l.cut)
	u.Host = l.address
	return l, u.String()
}

// cut breaks every connection and refuses new ones.
func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.listener != nil {
		_ = l.listener.Close()
		l.listener = nil
	}
	for c := range l.open {
		_ = c.Close()
	}
	clear(l.open)
}

// stall keeps connections open but forwards nothing, as a failing router does.
func (l *link) stall() { l.mu.Lock(); defer l.mu.Unlock(); l.silent = true }

// restore ends a cut or a stall. Stalled connections are lost.
func (l *link) restore() {
	l.t.Helper()
	l.cut()
	listener, err := net.Listen("tcp", l.address)
	if err != nil {
		l.t.Fatal(err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listener, l.address, l.silent = listener, listener.Addr().String(), false
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go l.pass(c)
		}
	}()
}

func (l *link) pass(near net.Conn) {
	far, err := net.Dial("tcp", l.to)
	if err != nil {
		_ = near.Close()
		return
	}
	l.mu.Lock()
	l.open[near], l.open[far] = struct{}{}, struct{}{}
	l.mu.Unlock()
	go l.copy(near, far)
	l.copy(far, near)
}

func (l *link) copy(to, from net.Conn) {
	defer func() { _, _ = to.Close(), from.Close() }()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		l.mu.Lock()
		silent := l.silent
		l.mu.Unlock()
		if silent {
			_, _ = io.Copy(io.Discard, from) // until the connection is cut
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// D6, J2: the database is unavailable for longer than a lease, once refusing connections and once silent. Readers do
// not notice, callers get responses, and the server and its workers recover without intervention when it is back.
func TestServerAndWorkersSurviveDatabaseOutage(t *testing.T) {
	t.Parallel()
	l, through := newLink(t, database.Database(t))
	env := append(sharedSettings(t, through), oneProcessor)
	p := serve(t, t.TempDir(), env, "--first-site", "off", "--workers=-1")
	c := p.client(command(t, env, "keys", "create", "--data", t.TempDir()))
	w := startWorker(t, env, t.TempDir())
	publishFolder(t, c, site(t, manyPages), "big.localhost")
	stopReaders := readers(t, p, "big.localhost")
	for _, lose := range []func(){l.cut, l.stall} {
		jobID := startUntilRunning(t, p, c, "big.localhost")
		lose()
		w.Await("the loss of the task", func() bool { return countLogLines(w, jobID, `"msg":"task stopped"`) > 0 })
		if code := pageStatus(t, p.url+"/readyz"); code != http.StatusServiceUnavailable {
			t.Errorf("ready without a database: %d", code)
		}
		l.restore()
		p.Await("readiness", func() bool { return pageStatus(t, p.url+"/readyz") == http.StatusOK })
		if _, err := c.WaitExport(background(), jobID, nil); err != nil {
			t.Fatal(err)
		}
	}
	// a new label makes this a new export
	last, err := c.StartExport(background(), client.StartExport{Domain: "big.localhost", Version: "last"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.WaitExport(background(), last.JobID, nil); err != nil {
		t.Fatal(err)
	}
	stopReaders()
	w.Stop()
	p.Stop()
}

// pageStatus returns the status of a page, or 0 when it times out.
func pageStatus(t *testing.T, address string) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(background(), 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	_ = r.Body.Close() // only the status matters
	return r.StatusCode
}

// countLogLines counts the lines in a process's log that contain all the texts.
func countLogLines(p *process, texts ...string) (n int) {
	for line := range strings.Lines(p.Output()) {
		has := true
		for _, text := range texts {
			has = has && strings.Contains(line, text)
		}
		if has {
			n++
		}
	}
	return n
}
