package publish

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// packer writes contents sequentially into a few large blobs. With one blob per page, every page of a site would
// require a synchronous write to disk or a request to the object store.
type packer struct {
	ctx    context.Context // canceled to abort packs that are being written
	blob   blob.Store
	folder string // prefix of this attempt's packs

	mu   sync.Mutex
	keys []string    // guarded by mu; packs in the order of their numbers in manifests
	open *packWriter // guarded by mu; nil between packs
}

// packMax is the size in bytes after which the next content goes into a new pack. It is large enough to keep the number
// of packs low, and small enough that an old page that is still in use does not keep much unused data.
const packMax = 32 << 20

type packWriter struct {
	*bufio.Writer // buffers writes to blob: contents are small and many
	blob          *blob.Writer
	index         int
	size          int64 // bytes added
}

// packBuffer is the size of writes to storage, in bytes.
const packBuffer = 1 << 18

func newPacker(ctx context.Context, b blob.Store, projectID, attempt string) *packer {
	return &packer{ctx: ctx, blob: b, folder: path.Join("sites", projectID, "packs", attempt)}
}

// reuse assigns a number to an existing pack.
func (p *packer) reuse(key string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.keys, key); i >= 0 {
		return i
	}
	p.keys = append(p.keys, key)
	return len(p.keys) - 1
}

// own returns the packs created by this attempt.
func (p *packer) own() (keys []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, key := range p.keys {
		if strings.HasPrefix(key, p.folder+"-") {
			keys = append(keys, key)
		}
	}
	return keys
}

// add appends a content and returns its location.
func (p *packer) add(ctx context.Context, data []byte) (pack int, offset int64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open != nil && p.open.size >= packMax {
		if err := p.finish(nil); err != nil {
			return 0, 0, err
		}
	}
	if p.open == nil {
		p.begin()
	}
	offset = p.open.size
	if _, err := p.open.Write(data); err != nil {
		return 0, 0, err
	}
	p.open.size += int64(len(data))
	return p.open.index, offset, nil
}

// begin starts a pack. mu must be held.
func (p *packer) begin() {
	key := fmt.Sprintf("%s-%d", p.folder, len(p.keys))
	w := blob.Create(p.ctx, p.blob, key)
	p.open = &packWriter{Writer: bufio.NewWriterSize(w, packBuffer), blob: w, index: len(p.keys)}
	p.keys = append(p.keys, key)
}

// finish closes the open pack, or aborts it if cause is not nil. mu must be held.
func (p *packer) finish(cause error) error {
	w := p.open
	p.open = nil
	if cause == nil {
		cause = w.Flush()
	}
	if err := w.blob.Close(cause); err != nil {
		return fmt.Errorf("store pack: %w", err)
	}
	return nil
}

// close closes the last pack.
func (p *packer) close(cause error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open == nil {
		return cause
	}
	return p.finish(cause)
}

// LoadManifest reads a stored manifest.
func LoadManifest(ctx context.Context, b blob.Store, key string) (m deploy.Manifest, err error) {
	err = decodeManifest(ctx, b, key, &m)
	return m, err
}

// LoadReferences reads only the parts of a stored manifest that Needs uses. Files and pages make up most of a
// manifest, so they are not decoded.
func LoadReferences(ctx context.Context, b blob.Store, key string) (deploy.Manifest, error) {
	var m struct {
		Packs    []string         `json:"packs"`
		Views    []deploy.View    `json:"views"`
		Versions *deploy.Versions `json:"versions"`
	}
	err := decodeManifest(ctx, b, key, &m)
	return deploy.Manifest{Packs: m.Packs, Views: m.Views, Versions: m.Versions}, err
}

// LoadCopies reads only the digests of the remote API descriptions that a site was built with, by URL.
func LoadCopies(ctx context.Context, b blob.Store, key string) (map[string]string, error) {
	var m struct {
		Copies map[string]string `json:"copies"`
	}
	err := decodeManifest(ctx, b, key, &m)
	return m.Copies, err
}

func decodeManifest(ctx context.Context, b blob.Store, key string, into any) error {
	r, _, err := b.Open(ctx, key)
	if err != nil {
		return fmt.Errorf("open manifest: %w", err)
	}
	defer func() { _ = r.Close() }()
	if err := json.NewDecoder(r).Decode(into); err != nil {
		return fmt.Errorf("read manifest: %w", err)
	}
	return nil
}

// Needs lists the blobs that a deployment's manifest refers to: its packs, the manifests of its views and versions,
// and the blobs of those.
func Needs(ctx context.Context, b blob.Store, m deploy.Manifest) ([]string, error) {
	out := slices.Clone(m.Packs)
	for _, v := range m.Views {
		if v.Manifest == "" {
			continue
		}
		of, err := LoadReferences(ctx, b, v.Manifest)
		if err != nil {
			return nil, err
		}
		out = append(append(out, v.Manifest), of.Packs...)
	}
	return append(out, VersionBlobs(m)...), nil
}

// VersionBlobs lists the blobs that the other versions of a site need.
func VersionBlobs(m deploy.Manifest) (out []string) {
	if m.Versions == nil {
		return nil
	}
	for _, v := range m.Versions.List {
		if v.Manifest != "" {
			out = append(append(out, v.Manifest), v.Blobs...)
		}
	}
	return out
}

// OpenFile opens a file's stored bytes, which may be compressed, see f.
func OpenFile(ctx context.Context, b blob.Store, m deploy.Manifest, f deploy.File) (io.ReadSeekCloser, error) {
	if f.Pack < 0 || f.Pack >= len(m.Packs) {
		return nil, fmt.Errorf("open site file: the manifest has no pack %d", f.Pack)
	}
	r, _, err := b.Open(ctx, m.Packs[f.Pack])
	if err != nil {
		return nil, fmt.Errorf("open site file: %w", err)
	}
	if _, err := r.Seek(f.Offset, io.SeekStart); err != nil {
		return nil, errors.Join(fmt.Errorf("open site file: %w", err), r.Close())
	}
	return &section{r: r, start: f.Offset, size: f.Length}, nil
}

// section is the part of a pack that contains one file.
type section struct {
	r           io.ReadSeekCloser
	start, size int64
	at          int64 // position in the file
}

func (s *section) Read(p []byte) (int, error) {
	left := s.size - s.at
	if left <= 0 {
		return 0, io.EOF
	}
	n, err := s.r.Read(p[:min(int64(len(p)), left)])
	s.at += int64(n)
	if errors.Is(err, io.EOF) && s.at < s.size {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (s *section) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += s.at
	case io.SeekEnd:
		offset += s.size
	}
	if offset < 0 {
		return 0, errors.New("seek before start of file")
	}
	if _, err := s.r.Seek(s.start+offset, io.SeekStart); err != nil {
		return 0, err
	}
	s.at = offset
	return offset, nil
}

func (s *section) Close() error { return s.r.Close() }
