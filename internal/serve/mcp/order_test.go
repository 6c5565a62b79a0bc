package mcp_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/build/searchquality"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/mcp"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// tree is a built site: files by name.
type tree map[string][]byte

func (f tree) Put(_ context.Context, file output.File) error {
	data, err := file.Bytes()
	f[file.Path] = slices.Clone(data)
	return err
}

func (f tree) Has(name string) bool { _, ok := f[name]; return ok }

func (f tree) Read(_ context.Context, name string) ([]byte, error) { return f[name], nil }

var pathLine = regexp.MustCompile(`(?m)^Path: /([^#\n]*)`)

// Agents get pages in the same order as readers in the search dialog: on our own docs, for each judged question.
func TestSearchOrderMatchesDialog(t *testing.T) {
	files := tree{}
	if _, err := build.Build(t.Context(), os.DirFS("../../../docs"),
		build.Options{Links: link.Clean, Offers: capability.Offers{Search: true}}, files); err != nil {
		t.Fatal(err)
	}
	x, err := searchindex.Open(func(name string) ([]byte, error) { return files[searchindex.Folder+"/"+name], nil })
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../build/testdata/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	questions, err := searchquality.ParseQuestions(string(text))
	if err != nil || len(questions) < 80 {
		t.Fatalf("%d questions, %v", len(questions), err)
	}
	l := sitereader.New("Lectern", files)
	h := mcp.New(mcp.Options{Now: time.Now, Version: "1", Logger: slog.New(slog.DiscardHandler)})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeSite(w, r, "docs", l) }))
	t.Cleanup(server.Close)
	s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: server.URL, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	others := 0
	for _, q := range questions {
		want, err := x.Find(t.Context(), searchindex.Query{Text: q.Text, Limit: 30, Language: x.Home().Language})
		if err != nil {
			t.Fatal(err)
		}
		var dialog, agents []string // pages, each once
		for _, hit := range want.Hits {
			if p := sitereader.Address(hit.Path)[1:]; !slices.Contains(dialog, p) {
				dialog = append(dialog, p)
			}
		}
		answer, failed := call(t, s, "search_docs", map[string]any{"query": q.Text})
		for _, m := range pathLine.FindAllStringSubmatch(answer, -1) {
			if !slices.Contains(agents, m[1]) {
				agents = append(agents, m[1])
			}
		}
		if failed || len(agents) == 0 || !slices.Equal(agents, dialog[:min(len(agents), len(dialog))]) {
			others++
			t.Errorf("%s: agents get %v, readers %v", q.Text, agents, dialog)
		}
	}
	t.Logf("%d of %d questions have a different order", others, len(questions))
}
