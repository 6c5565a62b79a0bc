package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/build/skill"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// count is called before each tool call; an error rejects the call.
type count func(tool string) error

// newServer creates the server for one site. All servers share schemas, because they have the same tools.
func newServer(l *sitereader.Library, version string, schemas *sdk.SchemaCache, allow count, record note,
	log *slog.Logger) *sdk.Server {
	t := &tools{library: l, allow: allow, record: record, log: log}
	s := sdk.NewServer(
		&sdk.Implementation{Name: skill.Name(l.Name()), Title: l.Name(), Version: version},
		&sdk.ServerOptions{
			Instructions: instructions(l),
			SchemaCache:  schemas, CompletionHandler: t.complete,
			// The lists never change while a program is connected, because requests are stateless.
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{},
				Resources: &sdk.ResourceCapabilities{}, Prompts: &sdk.PromptCapabilities{}},
		})
	no := false
	harmless := &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no}
	sdk.AddTool(s, &sdk.Tool{Name: "search_docs", Title: "Search the documentation", Annotations: harmless,
		Description: fmt.Sprintf("Searches the documentation of %s as its search box does and returns the best matching "+
			"sections, each with its headings, its path and its whole text, code included: up to %d bytes of a section "+
			"and %d bytes in all, with a note where something was cut. Use few, specific words.",
			l.Name(), maxSection, maxFound)}, recoverTool(t, t.search))
	sdk.AddTool(s, &sdk.Tool{Name: "read_page", Title: "Read a page", Annotations: harmless,
		Description: fmt.Sprintf("Returns a page of the documentation of %s as Markdown, up to %d characters at a time. "+
			"To read on, call it again with the offset given in the result.", l.Name(), maxPart)}, recoverTool(t, t.read))
	t.resources(s)
	t.prompts(s)
	return s
}

// instructions describes the site to a program.
func instructions(l *sitereader.Library) string {
	text := "Documentation of " + l.Name() + "."
	if edition := l.Edition(); edition != "" {
		text += " This server has " + edition + " and no other state of it."
	}
	return text + " Find answers with search_docs, and read whole pages with read_page. " +
		"Answer from the content of the pages, and cite their paths."
}

// recoverTool recovers from panics in a tool. The SDK runs tools in its own goroutines, where a panic would end the
// whole process.
func recoverTool[In any](t *tools, tool sdk.ToolHandlerFor[In, any]) sdk.ToolHandlerFor[In, any] {
	return func(ctx context.Context, r *sdk.CallToolRequest, in In) (out *sdk.CallToolResult, more any, err error) {
		defer func() {
			if p := recover(); p != nil {
				out, err = nil, t.publicError(fmt.Errorf("call tool: %v", p))
			}
		}()
		return tool(ctx, r, in)
	}
}

// tools implements the tools for a site.
type tools struct {
	library *sitereader.Library
	allow   count
	record  note
	log     *slog.Logger // for details that callers must not see
}

type searchInput struct {
	Query    string `json:"query" jsonschema:"what to search for, in a few words"`
	Limit    int    `json:"limit,omitempty" jsonschema:"number of results, 1 to 20; default 8"`
	Language string `json:"language,omitempty" jsonschema:"search pages in this language, such as en; default: the language that readers see first"`
	Version  string `json:"version,omitempty" jsonschema:"search pages of this product version; default: the one that readers see first"`
}

const (
	defaultHits = 8
	maxHits     = 20
	maxSection  = 4_000  // bytes of one section
	maxFound    = 24_000 // bytes of all sections in a response
	maxPart     = 30_000 // characters of a page in a response
)

func (t *tools) search(ctx context.Context, _ *sdk.CallToolRequest, in searchInput) (*sdk.CallToolResult, any, error) {
	if err := t.allow("search_docs"); err != nil {
		return nil, nil, t.publicError(err)
	}
	limit := in.Limit
	if limit <= 0 {
		limit = defaultHits
	}
	hits, err := t.library.Search(ctx,
		sitereader.Query{Text: in.Query, Limit: min(limit, maxHits), Language: in.Language, Version: in.Version, Dialog: true})
	if err != nil {
		return nil, nil, t.publicError(err)
	}
	t.record(audience.Event{Kind: audience.Search, Query: audience.Query(in.Query), Hits: len(hits)})
	var b strings.Builder
	if len(hits) == 0 {
		b.WriteString("No results. Try other words, or read the list of pages in the resource docs:///llms.txt.\n")
	}
	t.writeHits(ctx, &b, hits)
	return text(b.String()), nil, nil
}

type readInput struct {
	Path   string `json:"path" jsonschema:"path or address of the page, such as /guides/start"`
	Offset int    `json:"offset,omitempty" jsonschema:"character offset to start at; default 0"`
}

func (t *tools) read(ctx context.Context, _ *sdk.CallToolRequest, in readInput) (*sdk.CallToolResult, any, error) {
	if err := t.allow("read_page"); err != nil {
		return nil, nil, t.publicError(err)
	}
	page, err := t.library.Page(ctx, in.Path)
	if err != nil {
		return nil, nil, t.publicError(err)
	}
	if in.Offset == 0 {
		t.record(audience.Event{Kind: audience.View, Path: audience.Path(sitereader.Address(page.Path))})
	}
	part, next := cut(page.Content, in.Offset)
	if next > 0 {
		part += fmt.Sprintf("\n\n[The page continues: call read_page with path %q and offset %d.]\n",
			sitereader.Address(page.Path), next)
	}
	return text(part), nil, nil
}

// cut returns the part of a text that starts at an offset, in characters. next is the offset of the following part, or
// 0 at the end.
func cut(s string, offset int) (part string, next int) {
	runes := []rune(s)
	from := min(max(offset, 0), len(runes))
	to := min(from+maxPart, len(runes))
	if to < len(runes) {
		next = to
	}
	return string(runes[from:to]), next
}

func text(s string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: s}}}
}

// publicError returns an error that the caller may see, without causes.
func (t *tools) publicError(err error) error {
	if f, ok := fault.As(err); ok && f.Kind != fault.Internal {
		return errors.New(f.Sentence())
	}
	t.log.Error("failed to answer MCP request", "site", t.library.Name(), "error", err)
	return errors.New(fault.Public(err))
}

// Run serves one site over a pair of streams until in or ctx ends.
func Run(ctx context.Context, l *sitereader.Library, version string, log *slog.Logger, in io.Reader,
	out io.Writer) error {
	s := newServer(l, version, sdk.NewSchemaCache(), func(string) error { return nil }, func(audience.Event) {}, log)
	err := s.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{out}})
	if err != nil && ctx.Err() == nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("serve MCP: %w", err)
	}
	return nil
}

// unclosed is a writer that is closed by its owner, so its Close method does nothing.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
