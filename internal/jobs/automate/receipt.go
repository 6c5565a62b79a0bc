package automate

import (
	"context"
	"slices"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
)

// receiptsAtOnce limits how many receipts, and so files, are compared with a commit at a time. A file is at most 1
// MiB.
const receiptsAtOnce = 50

// checkReceipts searches a new commit for the code that pages rely on. It updates the position of code that moved
// within its file and records code that disappeared, for people to review. No model is involved.
func (w *Watcher) checkReceipts(ctx context.Context, p project.Product, remote git.Remote, head string) error {
	var last project.Receipt
	for {
		list, err := w.Store.ListHeldReceipts(ctx, p.ID, last, receiptsAtOnce)
		if err != nil || len(list) == 0 {
			return err
		}
		if err := w.compareReceipts(ctx, p, remote, head, list); err != nil {
			return err
		}
		last = list[len(list)-1]
	}
}

func (w *Watcher) compareReceipts(ctx context.Context, p project.Product, remote git.Remote, head string,
	list []project.Receipt) error {
	var paths []string
	for _, r := range list { // sorted by path
		if len(paths) == 0 || paths[len(paths)-1] != r.Path {
			paths = append(paths, r.Path)
		}
	}
	files, large, err := w.Git.Files(ctx, remote, head, paths)
	if err != nil {
		return err
	}
	return w.Store.Tx(ctx, func(tx *store.Tx) error {
		for _, r := range list {
			if slices.Contains(large, r.Path) {
				continue // the code may still be there
			}
			if line := r.Find(files[r.Path]); line > 0 {
				if err := tx.MoveReceipt(ctx, r, line, head); err != nil {
					return err
				}
			} else if err := tx.EndReceipt(ctx, p, r, head); err != nil {
				return err
			}
		}
		return nil
	})
}
