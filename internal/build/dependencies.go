package build

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/render/expand"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// dependencies lists everything that a page was rendered from, other than its own source and the data in its cache
// key: the files it includes, and the targets of its references. A cached result is valid as long as they are
// unchanged.
type dependencies struct {
	files    map[string][sha256.Size]byte // digests of snippets, code and other files; zero = no such file
	now      int64                        // Unix time for author code; 0 = no code ran
	colors   [sha256.Size]byte            // digest of the site's colours, if the page depends on them; otherwise zero
	resolved map[string]resolution        // by address as written

	unstable bool // a file changed during the build: the result must not be cached
}

// resolution is the target of an address. If the page shows the target as an image, it includes the image's properties.
type resolution struct {
	to            link.Target
	image         bool
	width, height int
	variants      []variantFile
}

// describe adds the properties of an image to its address.
func (a resolution) describe(to *component.Address, from link.From) {
	to.Width, to.Height = a.width, a.height
	for _, v := range a.variants {
		to.Variants = append(to.Variants, component.Variant{Href: from.File(v.path), Width: v.width})
	}
}

// includedBy returns dependencies that contain the files read to expand a page. They are empty if nothing is cached.
func (r *contentRenderer) includedBy(p *expand.Page) (n dependencies) {
	if !r.tracked {
		return n
	}
	for _, f := range p.Files {
		if n.files == nil {
			n.files = map[string][sha256.Size]byte{}
		}
		sum, sure := r.src.digest(f)
		n.files[f], n.unstable = sum, n.unstable || !sure
	}
	if p.Code {
		n.now = r.now.Unix()
	}
	return n
}

// and merges the dependencies of two steps of the same page. If either step uses an address for an image, the address
// counts as an image.
func (n dependencies) and(more dependencies) dependencies {
	n.now, n.unstable = cmp.Or(n.now, more.now), n.unstable || more.unstable
	if len(more.files) > 0 {
		n.files = maps.Clone(n.files)
		if n.files == nil {
			n.files = map[string][sha256.Size]byte{}
		}
		maps.Copy(n.files, more.files)
	}
	if len(more.resolved) > 0 {
		n.resolved = maps.Clone(n.resolved)
		if n.resolved == nil {
			n.resolved = map[string]resolution{}
		}
		for dest, a := range more.resolved {
			if a.image || !n.resolved[dest].image {
				n.resolved[dest] = a
			}
		}
	}
	return n
}

// colorsDigest returns the digest of the site's colours.
func colorsDigest(s *site.Site) [sha256.Size]byte { return fingerprint.Of("look", s.Colors) }

// resolve resolves an address of the page and records the result.
func (v *view) resolve(dest string) link.Target {
	t := v.From.Resolve(dest)
	if v.deps != nil {
		if _, had := v.deps.resolved[dest]; !had {
			v.recordResolution(dest, resolution{to: t})
		}
	}
	return t
}

// resolveImage returns the size and the copies of the image at an address, and records them.
func (v *view) resolveImage(dest string, t link.Target) resolution {
	a := resolution{to: t, image: true}
	if t.Kind != link.ToFile {
		return a
	}
	if file := v.sizes.site.FindAsset(t.File); file != nil {
		a.width, a.height = v.sizes.lookup(file)
		pause := v.pause
		if pause == nil {
			pause = func() func() { return func() {} }
		}
		a.variants = v.variants.lookup(file, pause)
	}
	if v.deps != nil {
		v.recordResolution(dest, a)
	}
	return a
}

func (v *view) recordResolution(dest string, a resolution) {
	if v.deps.resolved == nil {
		v.deps.resolved = map[string]resolution{}
	}
	v.deps.resolved[strings.Clone(dest)] = a // dest may share memory with the page's text
}

// write serializes the dependencies: the addresses, and one digest of all their targets. If links is false, it includes
// only images, because the record's key then already covers the site's pages and files.
func (n *dependencies) write(w *recordWriter, links bool) {
	w.number(len(n.files))
	for _, f := range slices.Sorted(maps.Keys(n.files)) {
		w.text(f)
		w.sum(n.files[f])
	}
	w.fixed(uint64(n.now))
	w.sum(n.colors)
	var questions []string
	for dest, a := range n.resolved {
		if links || a.image {
			questions = append(questions, dest)
		}
	}
	slices.Sort(questions)
	w.number(len(questions))
	h := resolutionDigest{}
	for _, dest := range questions {
		w.text(dest)
		w.flags(n.resolved[dest].image)
		h.add(dest, n.resolved[dest])
	}
	if len(questions) > 0 {
		w.sum(h.sum())
	}
}

// unchanged decodes the output of dependencies.write and reports whether all dependencies of a page are unchanged.
// kept, if not nil, receives the dependencies.
func (k *pageCache) unchanged(r *recordReader, from link.From, kept *dependencies) bool {
	same := true
	for range r.count() {
		name, sum := r.text(), r.sum()
		if same {
			now, sure := k.src.digest(name)
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
	same = same && (now == 0 || now == k.now.Unix())
	look := r.sum()
	same = same && (look == [sha256.Size]byte{} || look == colorsDigest(k.src.site))
	if kept != nil {
		kept.now, kept.colors = now, look
	}
	h := resolutionDigest{}
	ask := &view{From: from, sizes: k.addr.sizes, variants: k.addr.variants, deps: kept}
	questions := r.count()
	if questions == 0 {
		return same && r.err == nil
	}
	for range questions {
		dest, image := r.text(), false
		r.flags(&image)
		a := resolution{to: ask.resolve(dest), image: image}
		if image {
			a = ask.resolveImage(dest, a.to)
		}
		h.add(dest, a)
	}
	return r.sum() == h.sum() && same && r.err == nil
}

// resolutionDigest hashes resolutions, in the order of their addresses.
type resolutionDigest struct{ w recordWriter }

func (h *resolutionDigest) add(dest string, a resolution) {
	h.w.text(dest)
	h.w.number(int(a.to.Kind))
	for _, s := range []string{a.to.Href, a.to.Page, a.to.File, a.to.Anchor} {
		h.w.text(s)
	}
	h.w.number(a.width)
	h.w.number(a.height)
	h.w.number(len(a.variants))
	for _, v := range a.variants {
		h.w.text(v.path) // contains a digest of the content
	}
}

func (h *resolutionDigest) sum() [sha256.Size]byte { return sha256.Sum256(h.w.out) }
