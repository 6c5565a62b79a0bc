package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// scheme is the prefix of resource URIs; a page's path or a list's name follows.
const (
	scheme       = "docs:///"
	pageTemplate = scheme + "{+path}"
)

// resources adds the site's lists, and every page by its path.
func (t *tools) resources(s *sdk.Server) {
	for _, f := range t.library.Lists() {
		s.AddResource(listResource(f), recoverResource(t, t.list))
	}
	s.AddReceivingMiddleware(t.listPages)
	s.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: pageTemplate, Name: "page",
		Title:       "A page of the documentation",
		Description: "A page as Markdown, by its path.", MIMEType: "text/markdown"}, recoverResource(t, t.page))
}

func listResource(f sitereader.List) *sdk.Resource {
	return &sdk.Resource{URI: scheme + f.Name, Name: f.Name, Description: f.Text, MIMEType: f.ContentType}
}

// recoverResource is like recoverTool, for resources.
func recoverResource(t *tools, read sdk.ResourceHandler) sdk.ResourceHandler {
	return func(ctx context.Context, r *sdk.ReadResourceRequest) (out *sdk.ReadResourceResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				out, err = nil, t.publicError(fmt.Errorf("read resource: %v", p))
			}
		}()
		return read(ctx, r)
	}
}

func (t *tools) list(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	if err := t.allow("resource"); err != nil {
		return nil, t.publicError(err)
	}
	body, err := t.library.List(ctx, strings.TrimPrefix(r.Params.URI, scheme))
	return t.resource(r, "text/markdown", body, err)
}

func (t *tools) page(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	if err := t.allow("resource"); err != nil {
		return nil, t.publicError(err)
	}
	page, err := t.library.Page(ctx, strings.TrimPrefix(r.Params.URI, scheme))
	return t.resource(r, "text/markdown", page.Content, err)
}

func (t *tools) resource(r *sdk.ReadResourceRequest, kind, body string, err error) (*sdk.ReadResourceResult, error) {
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	case err != nil:
		return nil, t.publicError(err)
	}
	if part, more := cut(body, 0); more > 0 {
		body = part + "\n\n[Truncated here: use the tool read_page for the rest.]\n"
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: kind, Text: body}}},
		nil
}
