package build

import (
	"crypto/sha256"
	"errors"
	"slices"
	"sync"

	"github.com/lectern-docs/lectern/internal/build/llmstxt"
	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// fullPart holds some pages of llms-full.txt. Each part is compressed and cached separately, so that after an edit only
// the part with the edited page is rebuilt, and the others are not even decompressed. The way pages are divided into
// parts must not depend on the machine.
type fullPart struct {
	pages    []*entry
	texts    []int  // bytes of each page's Markdown form
	ends     []int  // end of each page in plain
	plain    []byte // as written to the file
	deflated []byte // empty unless the output takes compressed files
}

// partPages is the number of pages in a part.
const partPages = 64

// usualText is the typical size of a page in the file, in bytes. It determines the initial capacity of the buffer, so
// that large files are not copied as they grow.
const usualText = 4 << 10

// joinPages builds llms-full.txt of a variant.
func (m *listMaker) joinPages(v variant, pages []*entry, index string) (payload, error) {
	pages = slices.DeleteFunc(slices.Clone(pages), func(e *entry) bool { return e.page.Details().External != "" })
	s := m.src.site
	full, head := llmstxt.NewFull(m.name(v), s.Description, s.AgentNote, m.addr.Public(index), llmstxt.FullMax)
	out := &fullFile{packed: m.docs.packing, packer: output.NewPacker()}
	if !out.packed {
		out.plain = make([]byte, 0, min(len(pages)*usualText, llmstxt.FullMax))
	}
	out.add(head, nil)
	if err := m.addParts(full, pages, out); err != nil {
		return payload{}, err
	}
	out.add(full.Tail(), nil)
	return out.close(), nil
}

// addParts adds the pages to the file until it is full. Up to m.workers goroutines build parts ahead.
func (m *listMaker) addParts(full *llmstxt.Full, pages []*entry, out *fullFile) error {
	type making struct {
		part fullPart
		done chan error
	}
	var run []*making // oldest first
	var wg sync.WaitGroup
	defer wg.Wait()
	rest := pages
	for {
		for len(run) < m.workers && len(rest) > 0 {
			one := &making{part: fullPart{pages: rest[:min(len(rest), partPages)]}, done: make(chan error, 1)}
			rest = rest[len(one.part.pages):]
			run = append(run, one)
			wg.Go(func() { one.done <- m.makePart(&one.part) })
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

// fit returns how many of the part's pages still fit, and counts them.
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

// makePart builds a part, or loads it from the cache if an earlier build had the same pages.
func (m *listMaker) makePart(p *fullPart) error {
	key := m.partKey(p)
	if m.docs.cache != nil {
		if data, ok := m.docs.cache.Get(key); ok && p.decode(data) {
			return nil
		}
	}
	*p = fullPart{pages: p.pages}
	stable := true // the text of every page matches the cache key
	for _, e := range p.pages {
		text, err := m.twins.text(e)
		if errors.Is(err, errPageChanged) {
			stable, err = false, nil
		}
		if err != nil {
			return err
		}
		p.plain = llmstxt.AppendPage(p.plain, m.addr.Canonical(e.page.Path), text)
		p.texts, p.ends = append(p.texts, len(text)), append(p.ends, len(p.plain))
	}
	if m.docs.packing {
		p.deflated = output.Deflate(p.plain)
	}
	if m.docs.cache != nil && stable {
		m.docs.cache.Put(key, p.encode())
	}
	return nil
}

// partKey returns the cache key of a part: the digests of its pages' texts, and the other page data that the file
// contains.
func (m *listMaker) partKey(p *fullPart) (key [sha256.Size]byte) {
	if m.docs.cache == nil {
		return key
	}
	w := &recordWriter{}
	for _, e := range p.pages {
		w.text(m.addr.Canonical(e.page.Path))
		w.text(m.twins.pointer(e.page))
		w.sum(e.twin.sum)
	}
	return fingerprint.Of("full", m.docs.program, m.docs.packing, w.out)
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

// decode decodes the output of encode. It returns false if the record is damaged.
func (p *fullPart) decode(data []byte) bool {
	r := &recordReader{in: data}
	for range p.pages {
		p.texts, p.ends = append(p.texts, r.number()), append(p.ends, r.number())
	}
	p.plain, p.deflated = r.bytes(), r.bytes()
	return r.end() && slices.IsSorted(p.ends) && p.ends[len(p.ends)-1] == len(p.plain)
}

// fullFile collects the parts of the file in order, compressed or plain, depending on the output.
type fullFile struct {
	packed bool
	packer *output.Packer
	plain  []byte
}

// add appends a part. deflated is empty if the part is not compressed yet.
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
	return payload{data: f.plain, packed: output.Digested(f.plain)}
}
