package devserve

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// echo is a program that responds with what it was given.
type echo struct{}

func (echo) ServeSite(w http.ResponseWriter, r *http.Request, s siteapi.Site) {
	list, err := s.Library.File(r.Context(), "llms.txt", 1<<20) // made by a pass over every page
	fmt.Fprintf(w, "%s %s preview=%v %v %s", r.Method, s.Host, s.Preview, err, list)
}

// A canceled request does not wait.
func TestEndpointStopsWaitingWhenTheReaderLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, leave := context.WithCancel(t.Context())
		leave()
		begun := time.Now() // of the bubble, where time passes only by waiting
		current{&Server{passed: make(chan struct{})}, ctx}.wait()
		if waited := time.Since(begun); waited > 0 {
			t.Errorf("it waited for %s", waited)
		}
	})
}

func TestEndpointsAnswerInThePreview(t *testing.T) {
	p := open(t, "docs.json",
		`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "navigation": {"pages": ["index"]}}`,
		"index.mdx", "---\ntitle: Falcon\n---\nWords.\n")
	p.server.opt.Endpoints = map[string]siteapi.Endpoint{capability.ProxyPath: echo{}}
	post := func(path string) (int, string) {
		resp, err := http.Post(p.url+path, "text/plain", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(body)
	}
	if status, body := post(capability.ProxyPath); status != http.StatusOK ||
		!strings.HasPrefix(body, "POST 127.0.0.1 preview=true <nil> ") || !strings.Contains(body, "Falcon") {
		t.Errorf("%d %s", status, body)
	}
	if status, _ := post(capability.AskPath); status != http.StatusMethodNotAllowed {
		t.Errorf("no program: %d", status)
	}
}
