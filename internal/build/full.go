package build

import (
	"crypto/sha256"
	"slices"
	"sync"

	"github.com/lectern-docs/lectern/internal/build/llmstxt"
	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// fullPart is some pages of llms-full.txt. Parts are packed each on its own, and remembered: when a page changes, its part is made anew and
// the others are not even unpacked. Which pages make a part must not depend on the machine.
type fullPart struct {
	pages    []*entry
	texts    []int  // bytes of each page's Markdown form
	ends     []int  // where each page ends in plain
	plain    []byte // as it stands in the file
	deflated []byte // empty unless the output takes files packed
}

// partPages is how many pages a part has.
const partPages = 64

// join makes the file of a variant.
func (b *builder) join(v variant, pages []*entry, index string) (payload, error) {
	pages = slices.DeleteFunc(slices.Clone(pages), func(e *entry) bool { return e.page.Details().External != "" })
	full, head := llmstxt.NewFull(b.nameOf(v), b.site.Description, b.site.AgentNote, b.table.Public(index), llmstxt.FullMax)
	out := &fullFile{packed: b.packing, packer: output.NewPacker()}
	out.add(head, nil)
	if err := b.fill(full, pages, out); err != nil {
		return payload{}, err
	}
	out.add(full.Tail(), nil)
	return out.close(), nil
}

// fill puts the pages into the file, as far as there is room. Parts are made ahead, by as many goroutines as there are workers.
func (b *builder) fill(full *llmstxt.Full, pages []*entry, out *fullFile) error {
	type making struct {
		part fullPart
		done chan error
	}
	var run []*making // oldest first
	var wg sync.WaitGroup
	defer wg.Wait()
	rest := pages
	for {
		for len(run) < b.opt.Workers && len(rest) > 0 {
			m := &making{part: fullPart{pages: rest[:min(len(rest), partPages)]}, done: make(chan error, 1)}
			rest = rest[len(m.part.pages):]
			run = append(run, m)
			wg.Go(func() { m.done <- b.makePart(&m.part) })
		}
		if len(run) == 0 {
			return nil
		}
		if err := <-run[0].done; err != nil {
			return err
		}
		part := &run[0].part
		run = run[1:]
		n := part.fit(full)
		if n < len(part.pages) {
			full.Skip(len(pages) - n)
			if n > 0 {
				out.add(part.plain[:part.ends[n-1]], nil)
			}
			return nil
		}
		out.add(part.plain, part.deflated)
		pages = pages[n:]
	}
}

// fit is how many of the part's pages there is room for; they are counted in.
func (p *fullPart) fit(full *llmstxt.Full) int {
	start := 0
	for i, end := range p.ends {
		if !full.Room(p.texts[i]) {
			return i
		}
		full.Add(end - start)
		start = end
	}
	return len(p.ends)
}

// makePart makes a part, as an earlier build did if it had the same pages.
func (b *builder) makePart(p *fullPart) error {
	key, err := b.partKey(p)
	if err != nil {
		return err
	}
	if b.opt.Cache != nil {
		if data, ok := b.opt.Cache.Get(key); ok && p.decode(data) {
			return nil
		}
	}
	*p = fullPart{pages: p.pages}
	for _, e := range p.pages {
		text, err := b.twinText(e)
		if err != nil {
			return err
		}
		p.plain = llmstxt.AppendPage(p.plain, b.table.Canonical(e.page.Path), text)
		p.texts, p.ends = append(p.texts, len(text)), append(p.ends, len(p.plain))
	}
	if b.packing {
		p.deflated = output.Deflate(p.plain)
	}
	if b.opt.Cache != nil {
		b.opt.Cache.Put(key, p.encode())
	}
	return nil
}

// partKey names a part by what its pages say, and by what else of them is in the file.
func (b *builder) partKey(p *fullPart) (key [sha256.Size]byte, err error) {
	if b.opt.Cache == nil {
		return key, nil
	}
	w := &recordWriter{}
	for _, e := range p.pages {
		sum, err := b.twinSum(e)
		if err != nil {
			return key, err
		}
		w.text(b.table.Canonical(e.page.Path))
		w.text(b.pointer(e.page))
		w.sum(sum)
	}
	return fingerprint.Of("full", b.keys.program, b.packing, w.out), nil
}

func (p *fullPart) encode() []byte {
	w := &recordWriter{out: make([]byte, 0, len(p.plain)+len(p.deflated)+8*len(p.pages)+16)}
	for i := range p.pages {
		w.number(p.texts[i])
		w.number(p.ends[i])
	}
	w.bytes(p.plain)
	w.bytes(p.deflated)
	return w.out
}

// decode reads what encode wrote. It is false when that is damaged.
func (p *fullPart) decode(data []byte) bool {
	r := &recordReader{in: data}
	for range p.pages {
		p.texts, p.ends = append(p.texts, r.number()), append(p.ends, r.number())
	}
	p.plain, p.deflated = r.bytes(), r.bytes()
	return r.end() && slices.IsSorted(p.ends) && p.ends[len(p.ends)-1] == len(p.plain)
}

// fullFile takes the file's parts in order: packed or as they are, as the output has it.
type fullFile struct {
	packed bool
	packer *output.Packer
	plain  []byte
}

// add adds a part. deflated is empty when nobody packed it yet.
func (f *fullFile) add(plain, deflated []byte) {
	switch {
	case !f.packed:
		f.plain = append(f.plain, plain...)
	case len(plain) > 0:
		if len(deflated) == 0 {
			deflated = output.Deflate(plain)
		}
		f.packer.Append(plain, deflated)
	}
}

func (f *fullFile) close() payload {
	if f.packed {
		return payload{packed: f.packer.Close()}
	}
	return payload{f.plain, output.Digested(f.plain)}
}
