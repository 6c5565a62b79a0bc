package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
)

// A12: SIGTERM during 200 requests breaks none of them.
func TestShutdownCompletesResponsesInProgress(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	metrics := freeAddress(t)
	p := serve(t, data, nil, "--metrics-listen", metrics, "--rate-limit", "0", "--first-site", "off")
	key := command(t, nil, "keys", "create", "--data", data, "--scope", "read,write,admin")
	publishFolder(t, p.client(key), site(t, 2), "small.localhost")
	address := strings.TrimPrefix(p.url, "http://")
	const exports, requests = 20, 200
	body := func(i int) string { // exports of one page finish quickly; identical ones would be merged into one job
		if i >= exports {
			return fmt.Sprintf(`{"name":"Organization %d"}`, i)
		}
		return fmt.Sprintf(`{"domain":"small.localhost","paths":["index"],"version":"v%d"}`, i)
	}
	line := func(i int) (string, int) {
		if i >= exports {
			return "PATCH /v1/organization", http.StatusOK
		}
		return "POST /v1/static-export/jobs", http.StatusAccepted
	}
	var conns []net.Conn
	for i := range requests { // each request has sent its header and half of its body
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		first, _ := line(i)
		if _, err := fmt.Fprintf(c,
			"%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", first, address, key, len(body(i)), body(i)[:10]); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
	}
	awaitInFlight(t, p, "http://"+metrics+"/metrics", len(conns))
	if err := p.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.Await("a closed door", func() bool {
		c, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	})
	for i, c := range conns {
		if _, err := io.WriteString(c, body(i)[10:]); err != nil {
			t.Fatalf("request %d: %v", i, err)
		}
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatalf("response %d is broken: %v", i, err)
		}
		_, want := line(i)
		if answer, err := io.ReadAll(r.Body); err != nil || r.StatusCode != want ||
			!strings.HasSuffix(strings.TrimSpace(string(answer)), "}") {
			t.Fatalf("response %d: %d %v %s", i, r.StatusCode, err, answer)
		}
	}
	select {
	case <-p.Done():
	case <-time.After(patience):
		t.Fatal("the server did not stop")
	}
	if p.Err() != nil {
		t.Fatalf("the server did not stop cleanly: %v", p.Err())
	}
	// The next start completes the jobs that were accepted during the shutdown (J9).
	p = serve(t, data, nil, "--rate-limit", "0", "--first-site", "off")
	c := p.client(key)
	p.Await("the end of every job", func() bool {
		jobs, err := countExports(c)
		return err == nil && jobs[client.ExportStatusCompleted] == exports
	})
}

// countExports returns the number of exports in each state.
func countExports(c *client.Client) (map[client.ExportStatus]int, error) {
	n := map[client.ExportStatus]int{}
	for page := (client.ListExportsParams{Limit: 100}); ; {
		list, err := c.ListExports(background(), page)
		if err != nil {
			return nil, err
		}
		for _, j := range list.Jobs {
			n[j.Status]++
		}
		if list.NextCursor == nil {
			return n, nil
		}
		page.Cursor = *list.NextCursor
	}
}

// awaitInFlight waits until the server's metrics report n requests in progress.
func awaitInFlight(t *testing.T, p *process, metrics string, n int) {
	t.Helper()
	want := fmt.Sprintf("lectern_http_requests_in_flight %d", n)
	p.Await("the requests to be under way", func() bool {
		r, err := http.Get(metrics)
		if err != nil {
			return false
		}
		defer func() { _ = r.Body.Close() }()
		text, err := io.ReadAll(r.Body)
		return err == nil && strings.Contains(string(text), want)
	})
}

// An event stream does not delay a server that is stopping.
func TestStreamEndsWhenServerStops(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, []string{oneProcessor}, "--first-site", "off")
	c := p.client(command(t, nil, "keys", "create", "--data", data))
	publishFolder(t, c, site(t, manyPages), "big.localhost")
	jobID := startUntilRunning(t, p, c, "big.localhost")
	ended := make(chan error, 1)
	first := make(chan struct{}, 1)
	go func() {
		ended <- c.StreamExport(background(), jobID, func(client.ExportJob) error {
			select {
			case first <- struct{}{}:
			default:
			}
			return nil
		})
	}()
	<-first
	p.Stop()
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("the stream is still open")
	}
}
