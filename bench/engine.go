package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/yuin/goldmark"
	goldast "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/expand"
	"github.com/lectern-docs/lectern/internal/render/highlight"
	"github.com/lectern-docs/lectern/internal/render/icon"
	"github.com/lectern-docs/lectern/internal/render/tex"
	"github.com/lectern-docs/lectern/web/npm"
)

// batch is the number of pages processed by a stage before the next one: small enough to limit the garbage collector's
// work.
const batch = 20

// press is the rendering engine together with the data that pages share. Highlighted code is not cached, because no two
// blocks are the same.
type press struct {
	icons *icon.Library
	math  *tex.Typesetter
	code  *highlight.Highlighter
	draw  *render.Renderer
	bare  goldmark.Markdown
}

func newPress() (*press, error) {
	packs := npm.FS()
	icons, err := icon.Open(packs)
	if err != nil {
		return nil, err
	}
	p := &press{icons: icons, math: tex.New(packs), code: highlight.New(0),
		bare: goldmark.New(goldmark.WithExtensions(extension.GFM))}
	p.draw = render.New(render.Options{Icons: icons.Set(""), Code: p.code, Math: p.math})
	return p, nil
}

// anywhere resolves every reference to itself.
type anywhere struct{}

func (anywhere) Resolve(r render.Ref) (component.Address, bool) {
	return component.Address{Href: r.Dest}, true
}

// stages contains the costs of one round.
type stages struct {
	parse, expand, draw, colour, whole cost // ours
	bareParse, bareDraw, bareWhole     cost // goldmark's
}

// engine measures the stages of a page on one core.
func engine(_ context.Context, o options) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p, err := newPress()
	if err != nil {
		return err
	}
	defer func() { _ = p.math.Close() }() // only frees memory
	for _, k := range []struct {
		name string
		kind kind
	}{{"pages with components", kind{}}, {"plain Markdown pages", kind{plain: true}}} {
		rounds := make([]stages, 0, o.rounds)
		size := 0
		for i := range o.rounds + 1 { // the first round is a warm-up: languages, icons, formulas
			s, bytes, err := p.round(uint64(i+1), o.pages, k.kind)
			if err != nil {
				return err
			}
			if i > 0 {
				rounds, size = append(rounds, s), size+bytes
			}
		}
		fmt.Printf("\none core, %s, %.1f kB each on average\n", k.name, float64(size)/float64(o.pages*o.rounds)/1000)
		heading("", "pages/s", "goldmark", "time ×", "µs/page", "allocs", "KiB")
		pick := func(f func(stages) cost) cost {
			list := make([]cost, len(rounds))
			for i, s := range rounds {
				list[i] = f(s)
			}
			return least(list)
		}
		line("parse", pick(func(s stages) cost { return s.parse }), pick(func(s stages) cost { return s.bareParse }),
			o.pages)
		line("parse and expand", pick(func(s stages) cost { return s.expand }), cost{}, o.pages)
		line("render, without highlighting", pick(func(s stages) cost { return s.draw.less(s.colour) }),
			pick(func(s stages) cost { return s.bareDraw }), o.pages)
		line("highlight", pick(func(s stages) cost { return s.colour }), cost{}, o.pages)
		line("whole page without highlighting", pick(func(s stages) cost { return s.whole.less(s.colour) }),
			pick(func(s stages) cost { return s.bareWhole }), o.pages)
		line("whole page", pick(func(s stages) cost { return s.whole }),
			pick(func(s stages) cost { return s.bareWhole }), o.pages)
	}
	return nil
}

// round processes new pages with each stage, alternating between ours and goldmark's.
func (p *press) round(seed uint64, n int, k kind) (s stages, size int, err error) {
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return s, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := writeFolder(dir, seed, 1, k); err != nil { // for its snippets
		return s, 0, err
	}
	site := expand.New(expand.Options{Src: os.DirFS(dir)})
	pages := makePages(seed, n, k)
	for len(pages) > 0 {
		some := pages[:min(batch, len(pages))]
		pages = pages[len(some):]
		for _, page := range some {
			size += len(page.body)
		}
		if err := p.ours(&s, site, some); err != nil {
			return s, 0, err
		}
		if err := p.theirs(&s, some); err != nil {
			return s, 0, err
		}
	}
	return s, size, nil
}

func (p *press) ours(s *stages, site *expand.Site, pages []page) error {
	expanded := make([]*expand.Page, 0, len(pages))
	return errors.Join(
		s.parse.add(func() error {
			for _, page := range pages {
				if _, list := mdx.Parse(page.path, page.body, 1); list.HasErrors() {
					return fmt.Errorf("%s: %v", page.path, list[0])
				}
			}
			return nil
		}),
		s.expand.add(func() error {
			for _, page := range pages {
				e, list := site.Page(context.Background(), page.file())
				if list.HasErrors() {
					return fmt.Errorf("%s: %v", page.path, list[0])
				}
				expanded = append(expanded, e)
			}
			return nil
		}),
		s.draw.add(func() error {
			for _, e := range expanded {
				if _, err := p.html(e); err != nil {
					return err
				}
			}
			return nil
		}),
		s.colour.add(func() error {
			for _, e := range expanded {
				ast.Walk(e.Nodes, func(n ast.Node) bool {
					if c, ok := n.(*ast.Code); ok {
						p.code.Lines(c.Lang, c.Text)
					}
					return true
				})
			}
			return nil
		}),
		s.whole.add(func() error {
			for _, page := range pages {
				e, _ := site.Page(context.Background(), page.file())
				if _, err := p.html(e); err != nil {
					return err
				}
			}
			return nil
		}),
	)
}

func (p page) file() *ast.File { return &ast.File{Name: p.path, Body: p.body, Line: 1} }

func (p *press) html(e *expand.Page) ([]byte, error) {
	out, _, err := p.draw.Render(context.Background(), render.Source{File: e.File, Nodes: e.Nodes}, anywhere{})
	if err != nil {
		return nil, err
	}
	return out.HTML, nil
}

func (p *press) theirs(s *stages, pages []page) error {
	trees := make([]goldast.Node, 0, len(pages))
	return errors.Join(
		s.bareParse.add(func() error {
			for _, page := range pages {
				trees = append(trees, p.bare.Parser().Parse(text.NewReader(page.body)))
			}
			return nil
		}),
		s.bareDraw.add(func() error {
			for i, tree := range trees {
				if err := p.bare.Renderer().Render(io.Discard, pages[i].body, tree); err != nil {
					return err
				}
			}
			return nil
		}),
		s.bareWhole.add(func() error {
			for _, page := range pages {
				var out bytes.Buffer
				if err := p.bare.Convert(page.body, &out); err != nil {
					return err
				}
			}
			return nil
		}),
	)
}
