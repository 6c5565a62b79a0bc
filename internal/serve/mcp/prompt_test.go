package mcp_test

import (
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lectern-docs/lectern/internal/serve/mcp"
)

func TestPromptsIncludeMatchingPages(t *testing.T) {
	s := newWorld(t, mcp.Options{}).connect(t, "docs.example.com")
	get := func(name string, args map[string]string) (string, error) {
		out, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: args})
		if err != nil {
			return "", err
		}
		var all strings.Builder
		for _, m := range out.Messages {
			switch c := m.Content.(type) {
			case *sdk.TextContent:
				all.WriteString(c.Text)
			case *sdk.EmbeddedResource:
				all.WriteString(c.Resource.URI + c.Resource.Text)
			}
		}
		return all.String(), nil
	}
	asked, err := get("ask_docs", map[string]string{"question": "How is the thruster mounted?"})
	if err != nil || !strings.Contains(asked, "four screws") ||
		!strings.Contains(asked, "/guides/start#install-the-thruster") ||
		strings.Contains(asked, "canary") {
		t.Errorf("ask_docs: %v\n%s", err, asked)
	}
	explained, err := get("explain_page", map[string]string{"path": "/guides/start"})
	if err != nil || !strings.Contains(explained, "docs:///guides/start") ||
		!strings.Contains(explained, "four screws") {
		t.Errorf("explain_page: %v\n%s", err, explained)
	}
	if page, err := get("explain_page", map[string]string{"path": "guides/long"}); err != nil ||
		!strings.Contains(page, "offset 30000") {
		t.Errorf("a long page: %v\n%.200s", err, page)
	}
	for _, args := range []map[string]string{nil, {"path": ""}, {"path": "/secret"}, {"path": "/none"}} {
		if _, err := get("explain_page", args); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("explain_page with %v: %v", args, err)
		}
	}
	if _, err := get("ask_docs", nil); err == nil || !strings.Contains(err.Error(), "question is required") {
		t.Errorf("ask_docs without a question: %v", err)
	}
}

func TestPagePathsAreCompleted(t *testing.T) {
	s := newWorld(t, mcp.Options{}).connect(t, "docs.example.com")
	for _, c := range []struct {
		ref         sdk.CompleteReference
		name, typed string
		want        []string
	}{
		{sdk.CompleteReference{Type: "ref/prompt", Name: "explain_page"}, "path", "/gui",
			[]string{"/guides/long", "/guides/start"}},
		{sdk.CompleteReference{Type: "ref/resource", URI: "docs:///{+path}"}, "path", "guides/s",
			[]string{"guides/start"}},
		// C7: a page restricted to certain readers.
		{sdk.CompleteReference{Type: "ref/prompt", Name: "explain_page"}, "path", "se", nil},
		{sdk.CompleteReference{Type: "ref/prompt", Name: "ask_docs"}, "question", "How", nil},
	} {
		out, err := s.Complete(t.Context(),
			&sdk.CompleteParams{Ref: &c.ref, Argument: sdk.CompleteParamsArgument{Name: c.name, Value: c.typed}})
		if err != nil || !slices.Equal(out.Completion.Values, c.want) {
			t.Errorf("%+v %q: %v %+v", c.ref, c.typed, err, out)
		}
	}
	none := &sdk.CompleteParams{Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: "none"},
		Argument: sdk.CompleteParamsArgument{Name: "x"}}
	if _, err := s.Complete(t.Context(), none); err == nil ||
		!strings.Contains(err.Error(), `There is no "none" with the argument "x".`) {
		t.Errorf("an unknown prompt: %v", err)
	}
}

func TestPagesAreListedAsResources(t *testing.T) {
	s := newWorld(t, mcp.Options{}).connect(t, "docs.example.com")
	out, err := s.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var uris []string
	for _, r := range out.Resources {
		uris = append(uris, r.URI)
		if _, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.URI}); err != nil {
			t.Errorf("read %s: %v", r.URI, err)
		}
	}
	if want := []string{"docs:///llms.txt", "docs:///skill.md", "docs:///guides/long", "docs:///guides/start",
		"docs:///index"}; !slices.Equal(uris, want) {
		t.Errorf("listed %v, want %v", uris, want)
	}
	if _, err := s.ListResources(t.Context(), &sdk.ListResourcesParams{Cursor: "?"}); err == nil {
		t.Error("another server's cursor was accepted")
	}
}
