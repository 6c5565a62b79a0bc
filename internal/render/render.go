package render

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/text"

	"github.com/lectern-docs/lectern/internal/diag"
)

// Resolver decides every address on a page. ok is false when the address must not be written out.
type Resolver interface {
	Resolve(ref Ref) (href string, ok bool)
}

// Ref is a reference as the author wrote it.
type Ref struct {
	Dest  string
	Image bool
	Pos   diag.Pos
}

// Source is what is rendered.
type Source struct {
	File      string // for positions
	Body      []byte
	BodyLine  int  // line of File that Body starts on
	DropTitle bool // the first heading is the page's title and is shown elsewhere
}

// Heading is an entry of the page's outline.
type Heading struct {
	Level int // 2 to 6
	ID    string
	Text  string
}

// Page is a rendered page.
type Page struct {
	HTML     []byte
	Headings []Heading
	Lead     string // the first paragraph as plain text, at most leadMax characters
	Tags     bool   // tags were taken out, so places on the page may be missing from Headings
}

const leadMax = 300

// Renderer renders pages. It is safe for concurrent use.
type Renderer struct{ md markdown }

// New makes a Renderer.
func New() *Renderer { return &Renderer{md: newMarkdown()} }

// Render renders one page. A panic of the Markdown library becomes an error: hostile input must cost one page, not the build.
func (r *Renderer) Render(src Source, res Resolver) (page *Page, err error) {
	defer func() {
		if p := recover(); p != nil {
			page, err = nil, fmt.Errorf("render page: %v", p)
		}
	}()
	body, ids, tags := prepare(src.Body)
	doc := r.md.Parser().Parse(text.NewReader(body))
	b := &build{src: src, body: body, res: res, page: &Page{Tags: tags}, custom: ids}
	b.rewrite(doc)
	var out bytes.Buffer
	out.Grow(len(body) + len(body)/2)
	if err := r.md.Renderer().Render(&out, body, doc); err != nil {
		return nil, fmt.Errorf("render page: %w", err)
	}
	b.page.HTML = out.Bytes()
	return b.page, nil
}
