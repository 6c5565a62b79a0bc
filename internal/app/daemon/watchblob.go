package daemon

import (
	"context"
	"io"
	"time"

	"github.com/lectern-docs/lectern/internal/store/blob"
)

func (w watchedBlob) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	n, err := w.Store.Put(ctx, key, r)
	w.done("put", err)
	return n, err
}

func (w watchedBlob) Open(ctx context.Context, key string) (io.ReadSeekCloser, blob.Info, error) {
	r, info, err := w.Store.Open(ctx, key)
	w.done("open", err)
	return r, info, err
}

func (w watchedBlob) Delete(ctx context.Context, key string) error {
	err := w.Store.Delete(ctx, key)
	w.done("delete", err)
	return err
}

func (w watchedBlob) List(ctx context.Context, prefix string, yield func(blob.Info) error) error {
	err := w.Store.List(ctx, prefix, yield)
	w.done("list", err)
	return err
}

func (w watchedBlob) Link(ctx context.Context, key, filename string, life time.Duration) (blob.Link, error) {
	link, err := w.Store.Link(ctx, key, filename, life)
	w.done("link", err)
	return link, err
}

// RemovePartial calls the store's method, if it has one.
func (w watchedBlob) RemovePartial(ctx context.Context, age time.Duration) (int, error) {
	cleaner, ok := w.Store.(blob.Cleaner)
	if !ok {
		return 0, nil
	}
	n, err := cleaner.RemovePartial(ctx, age)
	w.done("list", err)
	return n, err
}
