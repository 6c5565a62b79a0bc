package main

import (
	"context"
	"fmt"
	"strings"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/render/apipage"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// operations is the number of operations in the generated API description.
const operations = 200

// describe generates an OpenAPI description: operations with parameters, a body and two responses, and schemas with
// shared parts.
func describe() string {
	var paths, schemas []string
	for i := range operations {
		a := newAuthor(uint64(i)|1<<61, []string{pagePath(0)})
		name := fmt.Sprintf("Thing%d", i)
		paths = append(paths,
			fmt.Sprintf(`"/things%d/{id}": {"post": {"operationId": "make%d", "tags": ["Part %d"], "summary": %q, "description": %q,
 "parameters": [{"name": "id", "in": "path", "required": true, "description": %q, "schema": {"type": "string"}},
  {"name": "limit", "in": "query", "schema": {"type": "integer", "default": 20, "maximum": 100}}],
 "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/%s"}}}},
 "responses": {"200": {"description": "Done", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/%s"}}}},
  "404": {"description": "Not found", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}}}}`,
				i, i, i/20, a.phrase(3), a.prose(), a.phrase(6), name, name))
		var props []string
		for range 8 {
			props = append(props, fmt.Sprintf(`%q: {"type": "string", "description": %q, "example": %q}`, a.name(),
				a.sentence(), a.word()))
		}
		schemas = append(schemas,
			fmt.Sprintf(
				`%q: {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, %s, "owner": {"$ref": "#/components/schemas/Owner"}}}`,
				name, strings.Join(props, ", ")))
	}
	return `{"openapi": "3.1.0", "info": {"title": "Bench", "version": "1"}, "servers": [{"url": "https://api.example.com"}], "paths": {` + strings.Join(paths, ",\n") +
		`}, "components": {"schemas": {"Problem": {"type": "object", "properties": {"code": {"type": "integer"}, "text": {"type": "string"}}},
"Owner": {"type": "object", "properties": {"name": {"type": "string"}, "friends": {"type": "array", "items": {"$ref": "#/components/schemas/Owner"}}}},` +
		strings.Join(schemas, ",\n") + `}}}`
}

// descriptions measures reading an API description and rendering its pages.
func (p *press) descriptions(ctx context.Context, o options) error {
	docs := fstest.MapFS{
		"docs.json": {Data: []byte(
			`{"name": "Bench", "navigation": {"groups": [{"group": "API", "openapi": "openapi.json"}]}}`)},
		"openapi.json": {Data: []byte(describe())},
	}
	var loaded *load.Loaded
	load, err := repeated(o.rounds, 1, func() (err error) {
		loaded, _, err = load.Load(ctx, docs, load.Options{Workers: 1})
		return err
	})
	if err != nil {
		return err
	}
	if len(loaded.Site.Pages) < operations {
		return fmt.Errorf("%d pages of %d operations", len(loaded.Site.Pages), operations)
	}
	size := 0
	draw, err := repeated(o.rounds, 1, func() error {
		size = 0
		for _, page := range loaded.Site.Pages {
			api := apipage.New(context.Background(),
				apipage.Input{Page: page, Specs: loaded.Specs, Look: loaded.Site.API})
			out, _, err := p.draw.Render(context.Background(),
				render.Source{File: &ast.File{Name: page.Path, Line: 1}, Before: api.Head, After: api.Body}, anywhere{})
			if err != nil {
				return err
			}
			size += len(out.HTML) + len(out.Side)
		}
		return nil
	})
	if err != nil {
		return err
	}
	n := len(loaded.Site.Pages)
	heading("API pages", "pages/s", "", "", "µs/page", "allocs", "KiB")
	line(fmt.Sprintf("read a description of %d kB", len(docs["openapi.json"].Data)/1000), load, cost{}, n)
	line(fmt.Sprintf("render a page, %d kB of HTML", size/n/1000), draw, cost{}, n)
	return nil
}
