package build

import (
	"path"

	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/render"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/render/expand"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/render/tailwind"
)

// extras lists what a page loads in addition to the theme.
type extras struct {
	sheet                  []byte // rules for its own classes and styles
	math, mermaid, islands bool
	play                   bool // readers can call the operation that the page describes
	clients                []expand.Client
}

// extrasOf collects what the page uses in addition to the theme: utility classes, formulas, diagrams, client
// components.
func (r *contentRenderer) extrasOf(p *render.Page, e *expand.Page) extras {
	classes := p.Classes
	for _, c := range e.Client {
		classes = append(classes, tailwind.Candidates(string(c.Script))...)
	}
	return extras{
		sheet: append(r.utility.CSS(classes), p.Style...), math: p.Math && !r.src.site.Styling.NoMath,
		mermaid: p.Mermaid, islands: p.Islands, clients: e.Client,
	}
}

func (e *extras) write(w *recordWriter) {
	w.bytes(e.sheet)
	w.flags(e.math, e.mermaid, e.islands, e.play)
	w.number(len(e.clients))
	for _, c := range e.clients {
		w.text(c.Unit)
		w.bytes(c.Script)
	}
}

func (e *extras) read(r *recordReader) {
	e.sheet = r.bytes()
	r.flags(&e.math, &e.mermaid, &e.islands, &e.play)
	for range r.count() {
		e.clients = append(e.clients, expand.Client{Unit: r.text(), Script: r.bytes()})
	}
}

// pageAsset is a file and how a page loads it.
type pageAsset struct {
	asset.Part
	use int
}

const (
	sheets = iota
	scripts
	diagrams
)

// pageAssets returns the files for extras, in the order in which pages load them.
func (t *Tools) pageAssets(front *frontEnd, e *extras) (out []pageAsset, err error) {
	if len(e.sheet) > 0 {
		out = append(out, pageAsset{asset.NewPart(path.Join(asset.Folder, "page.css"), e.sheet), sheets})
	}
	for _, n := range []struct {
		used bool
		load func() (asset.Part, error)
		to   int
	}{
		{e.math, t.formulas, sheets}, {e.mermaid, t.diagrams, diagrams}, {e.islands, t.islands, scripts},
		{e.play, func() (asset.Part, error) { return t.playStyle(front) }, sheets},
		{e.play, func() (asset.Part, error) { return t.playScript(front) }, scripts},
	} {
		if !n.used {
			continue
		}
		part, err := n.load()
		if err != nil {
			return nil, err
		}
		out = append(out, pageAsset{part, n.to})
	}
	for _, c := range e.clients {
		name := path.Join(asset.Folder, "island", slug.Heading(c.Unit)+".js")
		out = append(out, pageAsset{asset.NewPart(name, c.Script), scripts})
	}
	return out, nil
}

// linkPageAssets adds the files that a page needs in addition to the theme to its layout.
func (t *Tools) linkPageAssets(front *frontEnd, frame *layout.Page, e *extras) error {
	parts, err := t.pageAssets(front, e)
	if err != nil {
		return err
	}
	for _, part := range parts {
		switch part.use {
		case diagrams:
			frame.Mermaid = part.Path
		case sheets:
			frame.Sheets = append(frame.Sheets, part.Path)
		default:
			frame.Scripts = append(frame.Scripts, part.Path)
		}
	}
	return nil
}
