package render

import (
	"strconv"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// island writes a client component: the HTML that the server rendered, and the data that the browser needs to hydrate
// it.
func (p *page) island(n *ast.Island) {
	p.out.Islands = true
	p.w.Raw("<lectern-island")
	p.w.Attr("data-unit", n.Unit)
	p.w.Attr("data-thunk", strconv.Itoa(n.Thunk))
	p.w.Attr("data-props", n.Props)
	p.w.Raw(">")
	slots, shown := p.slots, p.shownSlots
	p.slots, p.shownSlots = n.Slots, map[int]bool{}
	p.islandDepth++
	p.Render(n.Children)
	p.islandDepth--
	for i, s := range n.Slots { // content that is initially hidden
		if !p.shownSlots[i] {
			p.w.Raw("<template")
			p.w.Attr("data-slot", strconv.Itoa(i))
			p.w.Raw(">")
			p.Render(s)
			p.w.Raw("</template>")
		}
	}
	p.slots, p.shownSlots = slots, shown
	p.w.Raw("</lectern-island>")
}

// slot writes content that was passed to the enclosing island.
func (p *page) slot(n *ast.Slot) {
	if n.Name != "" {
		p.w.Raw("<lectern-slot")
		p.w.Attr("data-n", n.Name)
		p.w.Raw(">")
		p.Render(n.Nodes)
		p.w.Raw("</lectern-slot>")
		return
	}
	if n.Index < 0 || n.Index >= len(p.slots) {
		return
	}
	p.shownSlots[n.Index] = true
	p.w.Raw("<lectern-slot")
	p.w.Attr("data-n", strconv.Itoa(n.Index))
	p.w.Raw(">")
	// slot content belongs to the page: only islands inside it may contain slots
	slots, shown, depth := p.slots, p.shownSlots, p.islandDepth
	p.slots, p.shownSlots, p.islandDepth = nil, nil, 0
	p.Render(slots[n.Index])
	p.slots, p.shownSlots, p.islandDepth = slots, shown, depth
	p.w.Raw("</lectern-slot>")
}
