package sitehost

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/serve/httpfile"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// file sends a stored file, compressed if it is stored that way and the client accepts it.
func (h *Host) file(w http.ResponseWriter, r *http.Request, t *tree, name string, status int, want wish) error {
	f := t.manifest.Files[name]
	gz := f.Gzip && route.AcceptsGzip(r.Header.Get("Accept-Encoding"))
	n := t.naming(name, f)
	content, size, err := h.content(r.Context(), t, f, n, gz)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	header := w.Header()
	route.SetFileHeaders(header, f.ContentType)
	route.SetShared(header, name)
	header.Set("Cache-Control", "public, max-age=0, must-revalidate")
	if f.Immutable {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	etag := f.SHA256[:32] + n.key()
	if f.Gzip {
		header.Add("Vary", "Accept-Encoding")
	}
	if gz {
		header.Set("Content-Encoding", "gzip")
		etag += "-gz"
	}
	header.Set("ETag", `"`+etag+`"`)
	if status != http.StatusOK {
		w.WriteHeader(status)
		if r.Method == http.MethodHead {
			return nil
		}
		_, err := io.Copy(w, content)
		return ignoreGone(r.Context(), err)
	}
	a := httpfile.New(header, size)
	if want != (wish{}) {
		h.answers.Keep(want, ready{a, contentKey(f, n, gz), name}, a.Weight()+int64(len(want.path)))
	}
	a.Stream(w, r, content)
	return nil
}

// ignoreGone drops errors caused by the client's disconnecting.
func ignoreGone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

const cacheFileMax = 512 << 10 // stored bytes; larger files are streamed from the blob store

// content opens a file as stored, or decompressed for the few clients that do not accept gzip, and returns its size.
// n contains the version's replacements.
func (h *Host) content(ctx context.Context, t *tree, f deploy.File, n naming, gz bool) (io.ReadSeekCloser, int64, error) {
	key := contentKey(f, n, gz)
	if data, ok := h.bytes.get(key); ok {
		return closer{bytes.NewReader(data)}, int64(len(data)), nil
	}
	unpack := f.Gzip && !gz
	if f.Length > cacheFileMax && !unpack && n == (naming{}) {
		r, err := h.store.open(ctx, t.manifest, f)
		return r, f.Length, err
	}
	data, err := h.reads.do(ctx, key, func(ctx context.Context) (data []byte, err error) {
		if n == (naming{}) {
			data, err = h.read(ctx, t, f, unpack)
		} else {
			data, err = h.named(ctx, t, f, n, gz)
		}
		if err == nil {
			h.bytes.put(key, data, int64(len(data)))
		}
		return data, err
	})
	if err != nil {
		return nil, 0, err
	}
	return closer{bytes.NewReader(data)}, int64(len(data)), nil
}

// read loads a file into memory.
func (h *Host) read(ctx context.Context, t *tree, f deploy.File, unpack bool) ([]byte, error) {
	r, err := h.store.open(ctx, t.manifest, f)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	data, err := readAll(r, unpack)
	if err != nil {
		return nil, fmt.Errorf("read site file: %w", err)
	}
	return data, nil
}

func readAll(r io.Reader, unpack bool) ([]byte, error) {
	if unpack {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		r = z
	}
	return io.ReadAll(r)
}

type closer struct{ io.ReadSeeker }

func (closer) Close() error { return nil }
