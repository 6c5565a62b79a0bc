package apipage

import (
	"context"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// Input is a page with the data that it is generated from.
type Input struct {
	Page  *site.Page // its API is not nil
	Specs *openapi.Set
	Look  site.API
	// OwnRequest and OwnResponse report whether the page's own text has a RequestExample or a ResponseExample, which
	// replaces the generated one.
	OwnRequest, OwnResponse bool
	FullSchema              bool // the Markdown form includes the part of the description that the page shows

	Playground capability.Playground // what readers may call from the page
	ProxyURL   string                // URL of the playground's proxy relative to the page
	// true if readers do not see the page; the proxy must not call origins that occur only on such pages (C7)
	Untold bool
	// the page's own text, which contains the fields if the page itself documents an operation
	Own []ast.Node
}

// Page renders one page. It is not safe for concurrent use.
type Page struct {
	ctx      context.Context // of rendering the page
	in       Input
	ref      *site.APIRef
	op       *openapi.Operation // nil if the page shows none
	detail   *openapi.Detail
	schema   *openapi.Schema
	channel  *openapi.Channel
	messages []openapi.Message
	way      openapi.Way // which fields to show: those of requests or those of responses
	plan     []byte      // data for the playground as JSON; nil = no playground
}

// maxHTML limits the generated part of one page, in bytes. A text from a description can appear on a page many times.
const maxHTML = 16 << 20

// stopped reports whether rendering must stop because the page is too large or its context is done.
func (p *Page) stopped(written int) bool { return written > maxHTML || p.ctx.Err() != nil }

// New looks up what the page shows. If ctx is cancelled, rendering stops early and the output must be discarded.
func New(ctx context.Context, in Input) *Page {
	p := &Page{ctx: ctx, in: in, ref: in.Page.API, way: openapi.Anything}
	switch p.ref.Kind {
	case site.APIOperation, site.APIWebhook:
		if p.op = in.Specs.Operation(p.ref.Spec, p.ref.Method, p.ref.Path); p.op != nil {
			p.detail = p.op.Detail()
		}
	case site.APISchema:
		if spec := in.Specs.Spec(p.ref.Spec); spec != nil {
			p.schema = spec.Schema(p.ref.Path)
		}
	case site.APIChannel:
		if p.channel = in.Specs.Channel(p.ref.Spec, p.ref.Path); p.channel != nil {
			p.messages = p.channel.Messages()
		}
	case site.APIManual:
		p.detail = manual(p.ref, in.Look)
	}
	p.plan = p.makePlan()
	return p
}

// Content returns the MDX that a description contains for an operation's page, or "". A page without a file uses it as
// its body.
func Content(page *site.Page, specs *openapi.Set) string {
	if page.API == nil || page.File != "" {
		return ""
	}
	if op := specs.Operation(page.API.Spec, page.API.Method, page.API.Path); op != nil {
		return op.Mint.Content
	}
	return ""
}

// Head writes the bar with the method and the URL. It belongs between the page's title and its own text.
func (p *Page) Head(w *component.Writer) {
	switch p.ref.Kind {
	case site.APIOperation, site.APIManual:
		if p.in.mode() != "none" {
			p.bar(w)
		}
	case site.APIWebhook:
		w.Raw(
			`<div class="api-bar" data-platform><span class="api-method method-pill" data-method="webhook">WEBHOOK</span><code class="api-url">`)
		w.Text(p.ref.Path)
		w.Raw("</code></div>\n")
	case site.APIChannel:
		p.channelBar(w)
	}
}

// Body writes the part after the page's own text. Samples go to the side panel.
func (p *Page) Body(w *component.Writer) {
	w.Raw(`<div class="api api-section" data-platform>`, "\n")
	switch {
	case p.op != nil:
		p.describe(w, p.op.Description)
		p.operation(w, p.detail, "")
		p.operationSide(w)
	case p.schema != nil:
		p.describe(w, p.schema.Description)
		p.root(w, p.schema, "schema")
		p.example(w, "Example", sampleOf(p.schema, openapi.Anything))
	case p.channel != nil:
		p.describe(w, p.channel.Description)
		p.channelBody(w)
	case p.ref.Kind == site.APIManual:
		p.security(w, p.detail)
		p.operationSide(w)
	default:
		p.notice(w)
	}
	w.Raw("</div>\n")
}

// notice explains why the page has no content.
func (p *Page) notice(w *component.Writer) {
	w.Raw(`<p class="api-notice">`)
	if openapi.Remote(p.ref.Spec) {
		w.Raw(`The API description at <code>`)
		w.Text(p.ref.Spec)
		w.Raw(`</code> was not fetched when this site was built, so the details of this operation are missing here.`)
	} else {
		w.Raw(`The API description has no <code>`)
		w.Text(p.ref.Written)
		w.Raw(`</code>, so the details are missing here.`)
	}
	w.Raw("</p>\n")
}

// describe writes the description's own text unless the page's text replaces it.
func (p *Page) describe(w *component.Writer, text string) {
	if p.ref.Describe {
		p.prose(w, text)
	}
}

// servers returns the servers of the operation or channel.
func (p *Page) servers() []openapi.Server {
	if p.detail == nil {
		return nil
	}
	return p.detail.Servers
}

func (p *Page) bar(w *component.Writer) {
	servers := p.servers()
	w.Raw(`<div class="api-bar" data-platform>`)
	method(w, p.ref.Method)
	w.Raw(`<code class="api-url">`)
	path := p.ref.Path
	if len(servers) > 0 && !openapi.Remote(path) {
		w.Raw(`<span class="api-server">`)
		w.Text(servers[0].Filled())
		w.Raw(`</span>`)
	}
	address(w, path)
	w.Raw(`</code>`)
	if p.in.Page.Deprecated {
		w.Raw(`<span class="field-mark field-deprecated">deprecated</span>`)
	}
	if p.Playable() { // a script shows the button
		w.Raw(
			`<button type="button" class="try-open tryit-button" data-platform data-try hidden>Try it</button><script type="application/json" data-try-plan>`)
		w.Trusted(p.plan) // it contains no unescaped "<"
		w.Raw(`</script>`)
	}
	w.Raw(`</div>`)
	if len(servers) > 1 {
		serverList(w, servers)
	}
	w.Raw("\n")
}

func method(w *component.Writer, name string) {
	w.Raw(`<span class="api-method method-pill"`)
	w.Attr("data-method", strings.ToLower(name))
	w.Raw(`>`)
	w.Text(name)
	w.Raw(`</span>`)
}

// address writes a path with its {parameters} highlighted. Long paths may break after a slash.
func address(w *component.Writer, path string) {
	for path != "" {
		open := strings.IndexByte(path, '{')
		end := strings.IndexByte(path[max(open, 0):], '}') + max(open, 0)
		if open < 0 || end <= open {
			break
		}
		breakable(w, path[:open])
		w.Raw(`<span class="api-param">`)
		w.Text(path[open : end+1])
		w.Raw(`</span>`)
		path = path[end+1:]
	}
	breakable(w, path)
}

func breakable(w *component.Writer, s string) {
	for piece := range strings.SplitAfterSeq(s, "/") {
		w.Text(piece)
		if strings.HasSuffix(piece, "/") {
			w.Raw(`<wbr>`)
		}
	}
}

func serverList(w *component.Writer, servers []openapi.Server) {
	w.Raw(`<details class="api-servers" data-platform><summary>`)
	w.Text(count(len(servers), "server", "servers"))
	w.Raw(`</summary><ul>`)
	for _, s := range servers {
		w.Raw(`<li><code>`)
		w.Text(s.URL)
		w.Raw(`</code>`)
		if s.Description != "" {
			w.Raw(` <span>`)
			w.Text(s.Description)
			w.Raw(`</span>`)
		}
		w.Raw(`</li>`)
	}
	w.Raw(`</ul></details>`)
}

// heading writes the heading of a section and adds it to the outline. Inside a callback, it writes a plain title.
func heading(w *component.Writer, text, prefix string) {
	if prefix != "" {
		w.Raw(`<p class="api-part">`)
		w.Text(text)
		w.Raw("</p>\n")
		return
	}
	id := w.IDs.Claim(slug.Heading(text))
	w.Raw(`<h2 class="api-section-heading"`)
	w.Attr("id", id)
	w.Raw(`><a class="anchor"`)
	w.Attr("href", "#"+id)
	w.Raw(` aria-label="Link to this section"></a><span class="api-section-heading-title">`)
	w.Text(text)
	w.Raw("</span></h2>\n")
	w.Outline(2, id, text)
}
