package openapi

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

var sniff = lazyregexp.New(`(?m)(?:^|[{,\s])["']?(?:openapi|swagger|asyncapi)["']?\s*:\s*["']?[0-9]`)

// Operation is a method on a path, or a webhook. Its Detail holds its parameters and responses.
type Operation struct {
	Method      string // upper case; Webhook for webhooks
	Path        string // as written; for a webhook, its name
	ID          string
	Summary     string
	Description string // Markdown
	Tags        []string
	Deprecated  bool
	Hidden      bool // its page is not shown in the navigation
	Mint        Mint

	spec      *Spec
	raw, item *jsontree.Value
}

// Webhook is the Method of webhooks.
const Webhook = "WEBHOOK"

// Mint is the x-mint extension, which contains settings for the page.
type Mint struct {
	Metadata []jsontree.Member // front matter
	Content  string            // MDX before the generated part
	Href     string            // the page's path
	Groups   []string
}

// methods lists the methods in the order that readers expect. A description's own order takes precedence.
var methods = []string{"get", "post", "put", "patch", "delete", "head", "options", "trace"}

// maxOperations limits the number of pages from one description.
const maxOperations = 20_000

func (s *Spec) readItem(path string, item *jsontree.Value, list *diag.List) {
	item = s.target(item)
	for _, m := range members(item) {
		method := strings.ToLower(m.Key)
		if !slices.Contains(methods, method) || !m.Value.Is(jsontree.Object) {
			continue
		}
		if len(s.Operations) == maxOperations {
			list.Warnf(m.Value.Pos(), "too-many-operations", "Only the first %d operations are used.", maxOperations)
			return
		}
		op := s.newOperation(strings.ToUpper(method), path, m.Value, item)
		if excluded(m.Value, item) || s.byKey[op.Key()] != nil {
			continue
		}
		s.Operations = append(s.Operations, op)
		s.byKey[op.Key()] = op
		if near := op.Method + " " + shape(op.Path); s.byShape[near] == nil {
			s.byShape[near] = op
		}
	}
}

// readWebhook reads the first method of a webhook. In practice a webhook has only one, and pages refer to it by
// name only.
func (s *Spec) readWebhook(name string, item *jsontree.Value) {
	item = s.target(item)
	for _, m := range members(item) {
		if !slices.Contains(methods, strings.ToLower(m.Key)) || excluded(m.Value, item) {
			continue
		}
		op := s.newOperation(Webhook, name, m.Value, item)
		s.Webhooks = append(s.Webhooks, op)
		s.byKey[op.Key()] = op
		return
	}
}

func excluded(raw, item *jsontree.Value) bool {
	return raw.Get("x-excluded").True() || item.Get("x-excluded").True()
}

func (s *Spec) newOperation(method, path string, raw, item *jsontree.Value) *Operation {
	op := &Operation{
		Method: method, Path: path, ID: raw.Get("operationId").Text(), Summary: oneLine(raw.Get("summary").Text()),
		Description: raw.Get("description").Text(), Tags: raw.Get("tags").Texts(), Deprecated: raw.Get("deprecated").
				True(),
		Hidden: raw.Get("x-hidden").True() || item.Get("x-hidden").True(), spec: s, raw: raw, item: item,
	}
	mint := raw.Get("x-mint")
	op.Mint = Mint{
		Metadata: members(mint.Get("metadata")), Content: mint.Get("content").Text(), Href: mint.Get("href").
				Text(), Groups: Readers(mint.Get("groups")),
	}
	if op.Mint.Href == "" {
		op.Mint.Href = raw.Get("x-href").Text()
	}
	return op
}

// Key identifies the operation within its description.
func (o *Operation) Key() string { return o.Method + " " + o.Path }

// Pos returns the position of the operation in its file.
func (o *Operation) Pos() diag.Pos { return o.raw.Pos() }

// Spec returns the API description that contains the operation.
func (o *Operation) Spec() *Spec { return o.spec }

// Title returns the name that readers see: the title in the operation's metadata, or else the summary, or else the
// method and path.
func (o *Operation) Title() string {
	if t := oneLine(o.meta("title")); t != "" {
		return t
	}
	if o.Summary != "" {
		return o.Summary
	}
	if o.Method == Webhook {
		return o.Path
	}
	return o.Method + " " + o.Path
}

// meta returns the text of a key in the operation's metadata, or "".
func (o *Operation) meta(key string) string {
	for _, m := range o.Mint.Metadata {
		if m.Key == key {
			return m.Value.Text()
		}
	}
	return ""
}

// Operation returns the operation with this method (any case; "webhook" for a webhook) and path, or nil. If no path
// matches exactly, it ignores leading and trailing slashes, the query, and the names in braces.
func (s *Spec) Operation(method, path string) *Operation {
	method = strings.ToUpper(method)
	if op := s.byKey[method+" "+path]; op != nil {
		return op
	}
	return s.byShape[method+" "+shape(path)]
}

var braces = lazyregexp.New(`\{[^}]*\}`)

// shape returns a path without the details that authors often get wrong.
func shape(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return strings.Trim(braces.ReplaceAllString(path, "{}"), "/")
}
