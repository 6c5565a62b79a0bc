package snapshot

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path"
)

// openTar unpacks archives stored by earlier releases.
func openTar(ctx context.Context, r io.Reader, dir string) (*Source, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	if err := unpack(ctx, r, root); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &Source{FS: root.FS(), closers: []io.Closer{root}}, nil
}

// unpack writes regular files only; os.Root confines all paths to the folder, whatever the archive contains.
func unpack(ctx context.Context, r io.Reader, root *os.Root) error {
	zr, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := writeFile(root, h.Name, tr); err != nil {
			return err
		}
	}
}

func writeFile(root *os.Root, name string, r io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	w, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close())
}
