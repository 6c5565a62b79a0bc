package load

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/fnv"
	"io/fs"
	"math"

	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/site"
)

// Known lets Load skip files that an earlier load has read. The zero value skips nothing.
type Known struct {
	// Sum returns the digest of a file if it is known without reading the file. nil means that no digest is known and
	// nothing is cached.
	Sum     func(file string) (sum [sha256.Size]byte, ok bool)
	Cache   Cache             // metadata of pages; nil = not cached
	Program [sha256.Size]byte // digest of this program; other versions may read pages differently
}

// Cache stores values. A key is a digest of everything that the value depends on. A cache may lose values. It must
// be safe for concurrent use.
type Cache interface {
	Get(key [sha256.Size]byte) (value []byte, ok bool)
	Put(key [sha256.Size]byte, value []byte)
}

// Pages are cached in groups. A hash of each path determines where a group ends, so that adding or removing a page
// changes only the group of that page.
const (
	groupMean = 32
	groupMax  = 4 * groupMean
)

// groupEnd returns the number of files in the first group. The files must be sorted.
func groupEnd(files []string) int {
	for i, file := range files {
		h := fnv.New32a()
		_, _ = h.Write([]byte(file)) // writing to a hash never fails
		if i+1 == groupMax || h.Sum32()%groupMean == 0 {
			return i + 1
		}
	}
	return len(files)
}

// readGroup fills heads and pages for a group of files. It reads from the cache if all digests are known, otherwise
// from the folder.
func (o *Options) readGroup(src fs.FS, files []string, heads []readHead, pages []site.Page, t *texts) {
	keeps := o.Known.Cache != nil && o.Known.Sum != nil && o.Sums && o.Memo == nil
	if keeps && o.knownGroup(src, files, heads, pages, t) {
		return
	}
	for i, file := range files {
		heads[i] = o.Memo.page(src, file, o.Sums, &pages[i], t)
	}
	if keeps {
		w := &headWriter{}
		for i := range heads {
			w.head(&heads[i])
		}
		o.Known.Cache.Put(o.groupKey(files, heads), w.out)
	}
}

// groupKey returns the cache key of a group of pages whose digests are set.
func (o *Options) groupKey(files []string, heads []readHead) [sha256.Size]byte {
	values := make([]any, 0, 2+2*len(files))
	values = append(values, "heads", o.Known.Program)
	for i, file := range files {
		values = append(values, file, heads[i].sum)
	}
	return fingerprint.Of(values...)
}

func (o *Options) knownGroup(src fs.FS, files []string, heads []readHead, pages []site.Page, t *texts) bool {
	for i, file := range files {
		var ok bool
		if heads[i].sum, ok = o.Known.Sum(file); !ok {
			return false
		}
	}
	data, ok := o.Known.Cache.Get(o.groupKey(files, heads))
	if !ok {
		return false
	}
	r := &headReader{in: string(data)} // the pages share this memory
	for i, file := range files {
		heads[i].page = &pages[i]
		if !r.head(&pages[i], file) && !r.bad {
			heads[i] = readPage(src, file, true, &pages[i], t)
		}
	}
	return !r.bad && r.in == ""
}

// headWriter encodes the heads of pages.
type headWriter struct{ out []byte }

func (w *headWriter) number(n int) { w.out = binary.AppendUvarint(w.out, uint64(n)) }
func (w *headWriter) text(s string) {
	w.number(len(s))
	w.out = append(w.out, s...)
}

func (w *headWriter) all(list []string) {
	w.number(len(list))
	for _, s := range list {
		w.text(s)
	}
}

// Forms of an encoded head.
const (
	headAbsent = iota // the head has findings or rare properties, so it is read from the folder each time
	headPlain
	headDetailed
)

// head encodes the result of readPage.
func (w *headWriter) head(h *readHead) {
	p, more := h.page, h.page.Details()
	form := headPlain
	switch {
	case len(h.list) > 0 || p.API != nil || more.Menu != nil || more.Timestamp != nil:
		w.number(headAbsent)
		return
	case p.HasDetails():
		form = headDetailed
	}
	w.number(form)
	w.text(p.Path)
	for _, s := range headTexts(p) {
		w.text(*s)
	}
	bits := 0
	for i, b := range headFlags(p) {
		if *b {
			bits |= 1 << i
		}
	}
	w.number(bits)
	w.out = binary.LittleEndian.AppendUint64(w.out, math.Float64bits(p.Boost))
	if form == headPlain {
		return
	}
	for _, s := range detailTexts(&more) {
		w.text(*s)
	}
	for _, list := range detailLists(&more) {
		w.all(*list)
	}
	w.number(len(more.Meta))
	for _, m := range more.Meta {
		w.text(m.Name)
		w.text(m.Content)
	}
	closed := 0
	if more.NotPublic {
		closed = 1
	}
	w.number(closed)
}

func headTexts(p *site.Page) [4]*string {
	return [...]*string{&p.Title, &p.SidebarTitle, &p.Description, &p.Icon}
}

func headFlags(p *site.Page) [10]*bool {
	return [...]*bool{&p.Hidden, &p.NoIndex, &p.Deprecated, &p.NoPagination, &p.Unsearchable, &p.Feed, &p.NoMark,
		&p.Public, &p.TitleInBody, &p.Listed}
}

func detailTexts(d *site.PageDetails) [7]*string {
	return [...]*string{&d.IconType, &d.Tag, &d.Mode, &d.Canonical, &d.Robots, &d.External, &d.Updated}
}

func detailLists(d *site.PageDetails) [3]*[]string {
	return [...]*[]string{&d.Keywords, &d.Related, &d.Groups}
}

// headReader decodes the output of headWriter. After the first invalid value, bad is set and all reads return zero
// values.
type headReader struct {
	in  string
	bad bool
}

func (r *headReader) number() int {
	var n uint64
	for i := 0; i < len(r.in) && i < 5; i++ {
		if b := r.in[i]; b < 0x80 {
			r.in = r.in[i+1:]
			return int(n | uint64(b)<<(7*i))
		}
		n |= uint64(r.in[i]&0x7f) << (7 * i)
	}
	r.in, r.bad = "", true
	return 0
}

func (r *headReader) take(n int) string {
	if n > len(r.in) {
		r.in, r.bad = "", true
		return ""
	}
	out := r.in[:n]
	r.in = r.in[n:]
	return out
}

func (r *headReader) text() string { return r.take(r.number()) }

// count reads the number of items that follow. Each item takes at least one byte.
func (r *headReader) count() int {
	n := r.number()
	if n > len(r.in) {
		r.in, r.bad = "", true
		return 0
	}
	return n
}

func (r *headReader) all() (list []string) {
	for range r.count() {
		list = append(list, r.text())
	}
	return list
}

// head decodes the head of a file's page. It returns false if the record does not contain the head.
func (r *headReader) head(p *site.Page, file string) bool {
	form := r.number()
	if r.bad || form == headAbsent || form > headDetailed {
		r.bad = r.bad || form > headDetailed
		return false
	}
	*p = site.Page{Path: r.text(), File: file}
	for _, s := range headTexts(p) {
		*s = r.text()
	}
	bits := r.number()
	for i, b := range headFlags(p) {
		*b = bits>>i&1 == 1
	}
	if b := r.take(8); b != "" {
		p.Boost = math.Float64frombits(binary.LittleEndian.Uint64([]byte(b)))
	}
	if form == headPlain {
		return !r.bad
	}
	var more site.PageDetails
	for _, s := range detailTexts(&more) {
		*s = r.text()
	}
	for _, list := range detailLists(&more) {
		*list = r.all()
	}
	for range r.count() {
		more.Meta = append(more.Meta, site.Meta{Name: r.text(), Content: r.text()})
	}
	more.NotPublic = r.number() == 1
	p.SetDetails(more)
	return !r.bad
}
