package build

import (
	"crypto/sha256"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/render/expand"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// needs are what a page was made from beside its own source and what its key names: files that it includes, and where its references lead.
// What was made of it may be used again as long as they are the same.
type needs struct {
	files map[string][sha256.Size]byte // snippets, code and the like; zero = it was not there
	now   int64                        // the time that author code saw, in seconds; 0 = none ran
	look  [sha256.Size]byte            // the site's colours, for pages with classes or styles of their own; zero = others
	asked map[string]answer            // by the address as written

	unsure bool // a file changed while the site was made: nobody may remember what was made of it
}

// answer is where an address leads, and the size of the picture there if that was asked for.
type answer struct {
	to            link.Target
	image         bool
	width, height int
}

// on notes what expanding a page read.
func (n *needs) on(b *builder, p *expand.Page) {
	if b.opt.Cache == nil {
		return
	}
	for _, f := range p.Files {
		if n.files == nil {
			n.files = map[string][sha256.Size]byte{}
		}
		sum, sure := b.shared.file(b.src, f)
		n.files[f], n.unsure = sum, n.unsure || !sure
	}
	if p.Code {
		n.now = b.opt.Now.Unix()
	}
}

// look is the digest of the site's colours.
func (b *builder) look() [sha256.Size]byte { return fingerprint.Of("look", b.site.Colors) }

// lookup resolves an address of the page and notes the answer.
func (v *view) lookup(dest string) link.Target {
	t := v.From.Resolve(dest)
	if v.needs != nil {
		if _, had := v.needs.asked[dest]; !had {
			v.note(dest, answer{to: t})
		}
	}
	return t
}

// size is that of the picture which an address leads to.
func (v *view) size(dest string, t link.Target) (width, height int) {
	width, height = v.sizes.of(t)
	if v.needs != nil && t.Kind == link.ToFile {
		v.note(dest, answer{t, true, width, height})
	}
	return width, height
}

func (v *view) note(dest string, a answer) {
	if v.needs.asked == nil {
		v.needs.asked = map[string]answer{}
	}
	v.needs.asked[strings.Clone(dest)] = a // it may be part of the page's text
}

// write writes what must be compared later: the questions, and one digest of all answers. Without links, only pictures are asked about:
// whoever reads it knows that the site has the same pages and files.
func (n *needs) write(w *recordWriter, links bool) {
	w.number(len(n.files))
	for _, f := range slices.Sorted(maps.Keys(n.files)) {
		w.text(f)
		w.sum(n.files[f])
	}
	w.fixed(uint64(n.now))
	w.sum(n.look)
	var questions []string
	for dest, a := range n.asked {
		if links || a.image {
			questions = append(questions, dest)
		}
	}
	slices.Sort(questions)
	w.number(len(questions))
	h := answers{}
	for _, dest := range questions {
		w.text(dest)
		w.flags(n.asked[dest].image)
		h.add(dest, n.asked[dest])
	}
	w.sum(h.sum())
}

// holds reads what write wrote and tells whether everything is still so. kept, if not nil, gets what was read.
func (b *builder) holds(r *recordReader, v *view, kept *needs) bool {
	same := true
	for range r.count() {
		name, sum := r.text(), r.sum()
		if same {
			now, sure := b.shared.file(b.src, name)
			same = sure && now == sum
		}
		if kept != nil && r.err == nil {
			if kept.files == nil {
				kept.files = map[string][sha256.Size]byte{}
			}
			kept.files[name] = sum
		}
	}
	now := int64(r.fixed())
	same = same && (now == 0 || now == b.opt.Now.Unix())
	look := r.sum()
	same = same && (look == [sha256.Size]byte{} || look == b.look())
	if kept != nil {
		kept.now, kept.look = now, look
	}
	h := answers{}
	ask := &view{From: v.From, sizes: v.sizes, needs: kept}
	for range r.count() {
		dest, image := r.text(), false
		r.flags(&image)
		a := answer{to: ask.lookup(dest), image: image}
		if image {
			a.width, a.height = ask.size(dest, a.to)
		}
		h.add(dest, a)
	}
	return r.sum() == h.sum() && same && r.err == nil
}

// answers digests answers, in the order of their questions.
type answers struct{ w recordWriter }

func (h *answers) add(dest string, a answer) {
	h.w.text(dest)
	h.w.number(int(a.to.Kind))
	for _, s := range []string{a.to.Href, a.to.Page, a.to.File, a.to.Anchor} {
		h.w.text(s)
	}
	h.w.number(a.width)
	h.w.number(a.height)
}

func (h *answers) sum() [sha256.Size]byte { return sha256.Sum256(h.w.out) }
