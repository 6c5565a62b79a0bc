package mcp_test

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/mcp"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

type notes struct {
	mu   sync.Mutex
	list []string
}

func (n *notes) Record(e audience.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, fmt.Sprintf("%v %s %s %s%s %v", e.ProjectID != "", e.Kind, e.Class, e.Path, e.Query,
		e.Hits > 0))
}

// Searches and reads by programs are counted on a published site, but not in a preview or if the program opts out.
func TestProgramUseIsCounted(t *testing.T) {
	n := &notes{}
	d := mcp.New(mcp.Options{Version: "0", Recorder: n, Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
	built := &sitehost.Built{}
	files := map[string]string{"docs.json": `{"name":"Rockets","navigation":{"pages":["guides/start"]}}`,
		"guides/start.mdx": "---\ntitle: Start\n---\n\nLight the thruster.\n"}
	if _, err := build.Build(t.Context(), os.DirFS(worktest.Write(t, files)),
		build.Options{Links: link.Clean, Offers: capability.Offers{Search: true}}, built); err != nil {
		t.Fatal(err)
	}
	project := id.Source{Rand: rand.Reader}.New(id.Project)
	call := func(site, tool, arguments string, header ...string) {
		t.Helper()
		r := httptest.NewRequest(http.MethodPost, "/mcp",
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+
				arguments+`}}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		d.ServeSite(w, r, site, built.Library())
		if w.Code != http.StatusOK || strings.Contains(w.Body.String(), `"isError":true`) {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	for _, site := range []string{project, project + "/preview", "local"} {
		call(site, "search_docs", `{"query":" Thruster "}`)
		call(site, "read_page", `{"path":"/guides/start"}`)
	}
	call(project, "read_page", `{"path":"/guides/start"}`, "DNT", "1")
	if got := strings.Join(n.list, "; "); got != "true search ai thruster true; true view ai /guides/start false" {
		t.Errorf("%q", n.list)
	}
}
