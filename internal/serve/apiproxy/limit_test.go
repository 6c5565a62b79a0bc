package apiproxy_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/serve/apiproxy"
)

// A5: visitors and sites have hourly limits.
func TestRequestsAreLimitedPerVisitorAndSite(t *testing.T) {
	target := serveAt(t, "127.0.0.2:0", echo)
	for name, opt := range map[string]apiproxy.Options{"visitor": {PerVisitor: 2}, "site": {PerSite: 2}} {
		g := open(t, opt, target.URL)
		for range 2 {
			if got := g.send(call{target: target.URL}); got.Header.Get("Lectern-Status") == "" {
				t.Fatalf("%s: %s", name, got.body)
			}
		}
		got := g.send(call{target: target.URL})
		g.refused(name, got, http.StatusTooManyRequests, "rate_limited")
		if got.Header.Get("Retry-After") == "" || g.counted(apiproxy.Limited) != 1 {
			t.Errorf("%s: %v %v", name, got.Header, g.outcomes)
		}
		g.mu.Lock()
		g.now = g.now.Add(time.Hour)
		g.mu.Unlock()
		if got := g.send(call{target: target.URL}); got.Header.Get("Lectern-Status") == "" {
			t.Errorf("%s, an hour later: %s", name, got.body)
		}
	}
}

func TestConcurrentRequestsAreLimited(t *testing.T) {
	arrived, goOn := make(chan struct{}), make(chan struct{})
	target := serveAt(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-goOn
	})
	g := open(t, apiproxy.Options{Limits: apiproxy.Limits{Open: 1}}, target.URL)
	first := make(chan reply)
	go func() { first <- g.send(call{target: target.URL}) }()
	<-arrived
	g.refused("the second", g.send(call{target: target.URL}), http.StatusServiceUnavailable, "busy")
	close(goOn)
	if got := <-first; got.Header.Get("Lectern-Status") != "200" {
		t.Errorf("%v", got.Header)
	}
}

// F4: an endless response is truncated at the announced limit.
func TestEndlessResponseIsTruncated(t *testing.T) {
	piece := bytes.Repeat([]byte("x"), 1<<16)
	target := serveAt(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		for {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	})
	g := open(t, apiproxy.Options{Limits: apiproxy.Limits{Answer: 1 << 20}}, target.URL)
	got := g.send(call{target: target.URL})
	if len(got.body) != 1<<20 || got.broken != nil || got.Header.Get("Lectern-Limit") != "1048576" ||
		g.counted(apiproxy.Cut) != 1 {
		t.Errorf("%d bytes, %v, %v", len(got.body), got.broken, got.Header)
	}
}

// F4: a slowly dripping response ends at the time limit, and the page sees that it is incomplete.
func TestSlowResponseTimesOut(t *testing.T) {
	silent := make(chan struct{})
	target := serveAt(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/drip" {
			fmt.Fprint(w, "one")
			w.(http.Flusher).Flush()
		}
		select {
		case <-silent:
		case <-r.Context().Done():
		}
	})
	defer close(silent)
	g := open(t, apiproxy.Options{Limits: apiproxy.Limits{Time: 300 * time.Millisecond}}, target.URL)
	g.refused("silence", g.send(call{target: target.URL}), http.StatusGatewayTimeout, "api_timeout")
	if got := g.send(call{target: target.URL + "/drip"}); string(got.body) != "one" || got.broken == nil ||
		g.counted(apiproxy.Cut) != 1 {
		t.Errorf("drip: %q %v %v", got.body, got.broken, g.outcomes)
	}
}

// F4: endless headers are refused; if there are many headers, only some are returned.
func TestHeadersAreBounded(t *testing.T) {
	target := serveAt(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		n := 40
		if r.URL.Path == "/endless" {
			n = 400
		}
		for i := range n {
			w.Header().Set(fmt.Sprintf("X-Header-%03d", i), strings.Repeat("y", 500))
		}
		w.Header().Set("A-First", "kept")
	})
	g := open(t, apiproxy.Options{}, target.URL)
	got := g.send(call{target: target.URL})
	if got.Header.Get("Lectern-Headers-Cut") != "1" || got.header("A-First") != "kept" ||
		len(got.Header.Get("Lectern-Headers")) > 17<<10 || got.Header.Get("Lectern-Status") != "200" {
		t.Errorf("%d bytes of headers, %q", len(got.Header.Get("Lectern-Headers")), got.header("A-First"))
	}
	g.refused("endless", g.send(call{target: target.URL + "/endless"}), http.StatusBadGateway, "api_unreachable")
}

// F4: a response that an API compressed unasked is decompressed within the limit.
func TestDecompressionIsLimited(t *testing.T) {
	pack := func(name string, to io.Writer) io.WriteCloser {
		switch name {
		case "gzip":
			return gzip.NewWriter(to)
		case "deflate":
			return zlib.NewWriter(to)
		}
		w, _ := flate.NewWriter(to, flate.BestSpeed)
		return w
	}
	target := serveAt(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Query().Get("as")
		w.Header().Set("Content-Encoding", strings.TrimSuffix(name, "-bare"))
		switch r.URL.Path {
		case "/none":
		case "/lie":
			fmt.Fprint(w, "not packed at all")
		case "/bomb":
			z := pack(name, w)
			zeros := make([]byte, 1<<20)
			for range 64 {
				_, _ = z.Write(zeros)
			}
			_ = z.Close()
		default:
			z := pack(name, w)
			fmt.Fprint(z, "plain words")
			_ = z.Close()
		}
	})
	g := open(t, apiproxy.Options{Limits: apiproxy.Limits{Answer: 1 << 20}}, target.URL)
	for _, name := range []string{"gzip", "deflate", "deflate-bare"} {
		if got := g.send(call{target: target.URL + "/?as=" + name}); string(got.body) != "plain words" ||
			got.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: %q", name, got.body)
		}
		if got := g.send(call{target: target.URL + "/bomb?as=" + name}); len(got.body) != 1<<20 {
			t.Errorf("%s: the bomb yields %d bytes", name, len(got.body))
		}
		if got := g.send(call{target: target.URL + "/none?as=" + name}); len(got.body) != 0 ||
			got.Header.Get("Lectern-Status") != "200" {
			t.Errorf("%s: an empty body yields %q, %v", name, got.body, got.Header)
		}
	}
	g.refused("a lie", g.send(call{target: target.URL + "/lie?as=gzip"}), http.StatusBadGateway, "bad_encoding")
	if got := g.send(call{target: target.URL + "/lie?as=br"}); string(got.body) != "not packed at all" ||
		got.header("Content-Encoding") != "br" {
		t.Errorf("br: %q %v", got.body, got.headers)
	}
}
