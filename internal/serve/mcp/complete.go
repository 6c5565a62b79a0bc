package mcp

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
)

const (
	maxValues = 100 // completions per response, the protocol's limit
	listPart  = 500 // resources per page of their list
)

// complete suggests completions for a page path that a person is typing.
func (t *tools) complete(ctx context.Context, r *sdk.CompleteRequest) (out *sdk.CompleteResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, t.publicError(fmt.Errorf("complete: %v", p))
		}
	}()
	if err := t.allow("complete"); err != nil {
		return nil, t.publicError(err)
	}
	values := []string{}
	ref, argument := r.Params.Ref, r.Params.Argument
	switch {
	case ref == nil:
		return nil, invalid("ref is required.")
	// Questions cannot be completed.
	case ref.Type == "ref/prompt" && ref.Name == askPrompt && argument.Name == "question":
	case ref.Type == "ref/prompt" && ref.Name == explainPrompt && argument.Name == "path":
		values, err = t.paths(ctx, argument.Value, "/")
	case ref.Type == "ref/resource" && ref.URI == pageTemplate && argument.Name == "path":
		values, err = t.paths(ctx, argument.Value, "")
	default:
		return nil, invalid(fmt.Sprintf("There is no %q with the argument %q.", ref.Name+ref.URI, argument.Name))
	}
	if err != nil {
		return nil, t.publicError(err)
	}
	more := len(values) > maxValues
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: values[:min(len(values), maxValues)],
		HasMore: more}}, nil
}

// paths lists the pages whose path starts with typed, up to one more than the limit.
func (t *tools) paths(ctx context.Context, typed, lead string) ([]string, error) {
	typed = strings.TrimLeft(typed, "/")
	found, err := t.library.Pages(ctx, typed, maxValues+1)
	values := []string{}
	for _, p := range found {
		if strings.HasPrefix(p.Path, typed) {
			values = append(values, lead+p.Path)
		}
	}
	return values, err
}

// listPages handles resources/list instead of the SDK, which would load every page of the site for each request. It
// lists the files for programs first and then the pages, one part per response.
func (t *tools) listPages(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (out sdk.Result, err error) {
		params, ok := r.GetParams().(*sdk.ListResourcesParams)
		if method != "resources/list" || r.GetParams() != nil && !ok {
			return next(ctx, method, r)
		}
		defer func() {
			if p := recover(); p != nil {
				out, err = nil, t.publicError(fmt.Errorf("list resources: %v", p))
			}
		}()
		result := &sdk.ListResourcesResult{Resources: []*sdk.Resource{}, Cacheable: sdk.Cacheable{CacheScope: "public"}}
		from := ""
		if params != nil && params.Cursor != "" {
			raw, err := base64.RawURLEncoding.DecodeString(params.Cursor)
			if err != nil {
				return nil, invalid("The cursor is not valid.")
			}
			from = string(raw)
		} else {
			for _, f := range t.library.Lists() {
				result.Resources = append(result.Resources, listResource(f))
			}
		}
		return t.addPages(ctx, result, from)
	}
}

func (t *tools) addPages(ctx context.Context, result *sdk.ListResourcesResult, from string) (*sdk.ListResourcesResult,
	error) {
	if err := t.allow("resource"); err != nil {
		return nil, t.publicError(err)
	}
	pages, err := t.library.Pages(ctx, from, listPart+1)
	if err != nil {
		return nil, t.publicError(err)
	}
	if len(pages) > listPart {
		result.NextCursor = base64.RawURLEncoding.EncodeToString([]byte(pages[listPart].Path))
		pages = pages[:listPart]
	}
	for _, p := range pages {
		result.Resources = append(result.Resources,
			&sdk.Resource{URI: pageURI(p.Path), Name: sitereader.Address(p.Path), Title: p.Title,
				MIMEType: "text/markdown"})
	}
	return result, nil
}

// pageURI returns the resource URI of a page.
func pageURI(page string) string { return scheme + (&url.URL{Path: page}).EscapedPath() }
