package build

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/build/imagevariant"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// copyLimit limits the images that one build copies. A build copies the site's first images in path order, so that the
// selection depends neither on the order in which pages are rendered nor on the cache.
type copyLimit struct {
	count int   // number of images
	bytes int64 // total size of these images; a copy is always smaller than the original
}

// maxCopies allows about twice as many images as the largest real sites have.
var maxCopies = copyLimit{count: 5_000, bytes: 1 << 30}

// imageVariants creates narrower copies of the images that pages show. The copies of an image are created once, by the
// worker that renders the first page with that image. They are stored in a temporary file until the images are written.
// A nil imageVariants creates none. It is safe for concurrent use. The caller must close it.
type imageVariants struct {
	src     fs.FS
	cache   Cache // nil = copies are not cached
	program [sha256.Size]byte
	limit   *pixelLimit
	copies  copyLimit
	scratch string
	beyond  string // path of the first image beyond the limits; "" = all are within them

	mu    sync.Mutex
	over  int                    // images beyond the limits that pages show
	known map[string]*variantSet // by path of the asset
	spool *output.Spool          // nil before the first copy
	err   error                  // the first error of the spool
}

// variantSet holds the copies of one image, narrowest first.
type variantSet struct {
	once  sync.Once
	files []variantFile
}

type variantFile struct {
	path  string
	width int
	piece output.Piece
}

func newImageVariants(src *source, opt Options) *imageVariants {
	if !opt.ResponsiveImages || src.site.Styling.OriginalImages {
		return nil
	}
	return &imageVariants{
		src: src.unrecorded(), cache: opt.Cache, program: opt.Program, limit: opt.Tools.pixels, scratch: opt.Scratch,
		copies: opt.Tools.copies, beyond: opt.Tools.copies.firstBeyond(src.site.Assets),
		known: map[string]*variantSet{},
	}
}

// firstBeyond returns the path of the first image beyond the limit, or "". files must be sorted by path.
func (l copyLimit) firstBeyond(files []site.Asset) string {
	for i := range files {
		if !mayHaveVariants(&files[i]) {
			continue
		}
		if l.count, l.bytes = l.count-1, l.bytes-files[i].Size; l.count < 0 || l.bytes < 0 {
			return files[i].Path
		}
	}
	return ""
}

// lookup returns the copies of a file of the site. It calls pause before expensive work and, after the work, the
// function that pause returned.
func (v *imageVariants) lookup(a *site.Asset, pause func() func()) []variantFile {
	if v == nil || !mayHaveVariants(a) {
		return nil
	}
	set := findOrAdd(&v.mu, v.known, a.Path)
	set.once.Do(func() {
		if v.beyond == "" || a.Path < v.beyond {
			set.files = v.load(a, pause)
			return
		}
		v.mu.Lock()
		v.over++
		v.mu.Unlock()
	})
	return set.files
}

// findings returns a finding if pages show images beyond the limit. It must be called after all pages are rendered.
func (v *imageVariants) findings() (list diag.List) {
	if v == nil || v.over == 0 {
		return nil
	}
	const text = "%d pictures on pages get no narrower copies: only the first %d pictures by path, up to %d MiB, are copied."
	list.Warnf(diag.Pos{File: v.beyond}, "too-many-images", text, v.over, v.copies.count, v.copies.bytes>>20)
	list.Hint("Remove pictures that no page shows, or store pictures as WebP, which need no copies.")
	return list
}

// mayHaveVariants reports whether the file has the extension of a supported format and is not too large.
func mayHaveVariants(a *site.Asset) bool {
	switch strings.ToLower(path.Ext(a.Path)) {
	case ".png", ".jpg", ".jpeg":
		return a.Size <= imagevariant.MaxBytes
	}
	return false
}

// load returns the copies of an image from the cache, or creates them.
func (v *imageVariants) load(a *site.Asset, pause func() func()) []variantFile {
	f, err := asset.Read(v.src, *a)
	if err != nil || imagevariant.Pixels(f.Data) == 0 { // copyAssets reports files that cannot be read
		return nil
	}
	if v.cache == nil {
		return v.keep(a.Path, v.encode(f.Data, pause))
	}
	key := fingerprint.Of("image variants", v.program, sha256.Sum256(f.Data))
	if data, ok := v.cache.Get(key); ok {
		if list, ok := decodeVariants(data); ok {
			return v.keep(a.Path, list)
		}
	}
	list := v.encode(f.Data, pause)
	v.cache.Put(key, encodeVariants(list))
	return v.keep(a.Path, list)
}

func (v *imageVariants) encode(data []byte, pause func() func()) (list []imagevariant.Variant) {
	defer pause()()
	defer v.limit.acquire(imagevariant.Pixels(data))()
	return imagevariant.Make(data)
}

// keep writes copies to the temporary file.
func (v *imageVariants) keep(name string, list []imagevariant.Variant) (out []variantFile) {
	v.mu.Lock()
	defer v.mu.Unlock()
	base := clip.Bytes(slug.Heading(strings.TrimSuffix(path.Base(name), path.Ext(name))), 60)
	for _, one := range list {
		if v.spool == nil && v.err == nil {
			v.spool, v.err = output.OpenSpool(v.scratch)
		}
		if v.err != nil {
			return nil // the build fails with this error
		}
		f := asset.NewPart(path.Join(asset.Folder, "image", fmt.Sprintf("%s-%d%s", base, one.Width, one.Ext)), one.Data)
		piece, err := v.spool.Add(one.Data)
		if v.err = err; err != nil {
			return nil
		}
		out = append(out, variantFile{path: f.Path, width: one.Width, piece: piece})
	}
	return out
}

// files returns an image's copies, which pages refer to, as output files.
func (v *imageVariants) files(name string) (out []output.File, err error) {
	if v == nil {
		return nil, nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.err != nil {
		return nil, v.err
	}
	set := v.known[name]
	if set == nil || len(set.files) == 0 {
		return nil, nil
	}
	if err := v.spool.Flush(); err != nil {
		return nil, err
	}
	for _, f := range set.files {
		data, err := v.spool.Read(f.piece)
		if err != nil {
			return nil, err
		}
		out = append(out,
			output.File{Path: f.path, ContentType: output.ContentType(f.path), Data: data, Immutable: true})
	}
	return out, nil
}

// close removes the temporary file.
func (v *imageVariants) close() {
	if v != nil {
		v.spool.Close()
	}
}

func encodeVariants(list []imagevariant.Variant) []byte {
	w := &recordWriter{}
	w.number(len(list))
	for _, v := range list {
		w.number(v.Width)
		w.text(v.Ext)
		w.bytes(v.Data)
	}
	return w.out
}

func decodeVariants(data []byte) (list []imagevariant.Variant, ok bool) {
	r := &recordReader{in: data}
	for range r.count() {
		list = append(list, imagevariant.Variant{Width: r.number(), Ext: r.text(), Data: r.bytes()})
	}
	return list, r.end()
}
