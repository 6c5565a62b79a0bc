package bundlecheck

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"strings"
)

// walkTarGz reads a gzip-compressed tar archive to the last byte.
func (w *walker) walkTarGz(in io.ReaderAt, size int64) error {
	packed := bufio.NewReaderSize(&counted{r: io.NewSectionReader(in, 0, size), n: &w.packed}, 1<<16)
	gz, err := gzip.NewReader(packed)
	if err != nil {
		return damaged("", err)
	}
	body := &bounded{w: w, r: gz}
	tr := tar.NewReader(body)
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return drain(body)
		}
		if err != nil {
			return damaged(body.entry, err)
		}
		name, dir, err := tarName(h)
		if err != nil {
			return err
		}
		if name == "" { // the top-level folder
			continue
		}
		body.entry = name
		if err := w.admit(name, dir); err != nil {
			return err
		}
		if dir {
			continue
		}
		if err := w.give(name, h.Size, refusing{name, tr}); err != nil {
			return err
		}
	}
}

// tarName returns an entry's path, without a leading "./" that some programs add.
func tarName(h *tar.Header) (name string, dir bool, err error) {
	name = h.Name
	for strings.HasPrefix(name, "./") {
		name = name[2:]
	}
	switch h.Typeflag {
	case tar.TypeReg:
	case tar.TypeDir:
		dir = true
		if name = strings.TrimSuffix(name, "/"); name == "." {
			name = ""
		}
	case tar.TypeSymlink:
		return name, false, refuse(Unsafe, name, "The entry is a symbolic link.")
	case tar.TypeLink:
		return name, false, refuse(Unsafe, name, "The entry is a hard link.")
	case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
		return name, false, refuse(Unsafe, name, "The entry is a device or a pipe.")
	default:
		return name, false, refuse(Unsafe, name, "The entry is neither a file nor a folder.")
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return name, false, refuse(Unsafe, name, "The entry is a sparse file.")
		}
	}
	if name == "" && !dir {
		return name, false, refuse(Unsafe, h.Name, "An entry has no name.")
	}
	return name, dir, nil
}

// drain reads the data after the end of the archive. It may only consist of zeros, followed by the checksum of the
// whole archive.
func drain(r io.Reader) error {
	buf := make([]byte, 1<<15)
	for {
		n, err := r.Read(buf)
		for _, b := range buf[:n] {
			if b != 0 {
				return refuse(Damaged, "", "The archive has data after its end.")
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return damaged("", err)
		}
	}
}

// counted counts the bytes that are read.
type counted struct {
	r io.Reader
	n *int64
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	*c.n += int64(n)
	return n, err
}

// bounded is an unpacked stream that fails at the limits.
type bounded struct {
	w     *walker
	r     io.Reader
	entry string // the entry that is being read
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if over := b.w.add(b.entry, int64(n)); over != nil {
		return 0, over
	}
	if stop := b.w.ctx.Err(); stop != nil {
		return 0, stop
	}
	return n, err
}

// refusing adds the name of the entry to an error about a damaged archive.
type refusing struct {
	entry string
	r     io.Reader
}

// Read implements io.Reader.
func (r refusing) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = damaged(r.entry, err)
	}
	return n, err
}
