package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// digest is the size and checksum of a file that was read.
type digest struct {
	size int64
	sum  [sha256.Size]byte
}

// reading is one pass over an archive, which may be hostile: its content is not trusted until the end.
type reading struct {
	ctx   context.Context
	tar   *tar.Reader
	left  int64 // bytes that the remaining files may contain
	found map[string]digest
	seen  func(n int) // called with the number of bytes read; never nil
}

// read passes every file to take, in the archive's order, and returns the manifest after verifying that all files
// match it. take must not retain content. If an error is returned, discard everything take has written.
func read(ctx context.Context, from io.Reader, maxBytes int64, seen func(n int),
	take func(name string, size int64, content io.Reader) error) (Manifest, error) {
	zip, err := gzip.NewReader(from)
	if err != nil {
		return Manifest{}, notBackup(err)
	}
	if seen == nil {
		seen = func(int) {}
	}
	r := &reading{ctx: ctx, tar: tar.NewReader(zip), left: maxBytes, found: map[string]digest{}, seen: seen}
	head, err := r.head()
	if err != nil {
		return Manifest{}, err
	}
	m, err := r.files(take)
	if err != nil {
		return m, err
	}
	if m.Head != head {
		return m, damaged("its header and its list of files do not match", nil)
	}
	if _, err := r.tar.Next(); !errors.Is(err, io.EOF) {
		return m, damaged("there is data after its list of files", err)
	}
	if err := wantEnd(zip); err != nil {
		return m, err
	}
	return m, r.compare(m)
}

// wantEnd reads to the end, which verifies the checksum, and rejects anything but padding after the archive.
func wantEnd(zip io.Reader) error {
	const most = 64 << 10 // bytes; our archives have no padding
	rest, err := io.ReadAll(io.LimitReader(zip, most))
	if err != nil || len(rest) == most || len(bytes.Trim(rest, "\x00")) > 0 {
		return damaged("there is data after its end", err)
	}
	return nil
}

func (r *reading) head() (Head, error) {
	h, err := r.tar.Next()
	if err != nil || h.Name != headName || h.Typeflag != tar.TypeReg || h.Size > maxHead {
		return Head{}, notBackup(err)
	}
	raw, err := io.ReadAll(io.LimitReader(r.tar, maxHead))
	if err != nil {
		return Head{}, notBackup(err)
	}
	return ParseHead(raw)
}

// files reads all files up to and including the manifest.
func (r *reading) files(take func(string, int64, io.Reader) error) (Manifest, error) {
	for {
		if err := r.ctx.Err(); err != nil {
			return Manifest{}, err
		}
		h, err := r.tar.Next()
		if err != nil {
			return Manifest{}, damaged("its end is missing", err)
		}
		if h.Typeflag != tar.TypeReg || h.Size < 0 {
			return Manifest{}, damaged(fmt.Sprintf("%q in it is not a regular file", h.Name), nil)
		}
		if h.Name == manifestName {
			return r.manifest(h.Size)
		}
		if err := r.one(h, take); err != nil {
			return Manifest{}, err
		}
	}
}

func (r *reading) manifest(size int64) (Manifest, error) {
	if size > maxManifest {
		return Manifest{}, damaged("its list of files is too long", nil)
	}
	raw, err := io.ReadAll(io.LimitReader(r.tar, size))
	if err != nil {
		return Manifest{}, damaged("its end is missing", err)
	}
	return ParseManifest(raw)
}

func (r *reading) one(h *tar.Header, take func(string, int64, io.Reader) error) error {
	if _, twice := r.found[h.Name]; twice || !allowed(h.Name) || len(r.found) >= maxFiles {
		return damaged(fmt.Sprintf("it contains an unexpected file, %q", h.Name), nil)
	}
	if r.left -= h.Size; r.left < 0 {
		return fault.New(fault.TooLarge, "backup_too_large",
			"There is not enough disk space for the backup's files.").WithField("data").
			WithHint("Free some space, or restore to another disk.")
	}
	sum := sha256.New()
	content := &watched{ctx: r.ctx, from: io.TeeReader(r.tar, sum), seen: r.seen}
	if err := take(h.Name, h.Size, content); err != nil {
		return broken(err)
	}
	if _, err := io.Copy(io.Discard, content); err != nil { // the part that take did not read
		return broken(err)
	}
	d := digest{size: h.Size}
	sum.Sum(d.sum[:0])
	r.found[h.Name] = d
	return nil
}

// broken distinguishes errors in the archive from errors of the function that receives the files.
func broken(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) ||
		errors.Is(err, tar.ErrHeader) {
		return damaged("a file in it is broken", err)
	}
	return err
}

// compare checks the digests of the files against the manifest.
func (r *reading) compare(m Manifest) error {
	for _, f := range m.Files {
		d, ok := r.found[f.Path]
		if !ok {
			return damaged("the file "+f.Path+" is missing", nil)
		}
		if d.size != f.Size || hex.EncodeToString(d.sum[:]) != f.SHA256 {
			return damaged("the file "+f.Path+" was changed", nil)
		}
	}
	if len(r.found) != len(m.Files) {
		return damaged("it has files that are not in its list", nil)
	}
	return nil
}
