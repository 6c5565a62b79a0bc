package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// builtIn passes the documentation embedded in this program to a sink. Its commit identifies its content, so a newer
// program's poll detects and publishes changes.
func (f *Fetcher) builtIn(to sourcetree.Sink) (sourcetree.Snapshot, error) {
	commit, files, bytes, err := treeHash(f.BuiltIn)
	if err != nil {
		return sourcetree.Snapshot{}, err
	}
	err = fs.WalkDir(f.BuiltIn, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		file, err := f.BuiltIn.Open(p)
		if err != nil {
			return err
		}
		return errors.Join(to.Put(p, "", file), file.Close())
	})
	if err != nil {
		return sourcetree.Snapshot{}, fmt.Errorf("read built-in docs: %w", err)
	}
	return sourcetree.Snapshot{Commit: commit, Files: files, Bytes: bytes, Modified: f.builtInDates()}, nil
}

// builtInDates gives every page of the documentation the program's own date, because the dates of individual pages are
// unknown.
func (f *Fetcher) builtInDates() map[string]time.Time {
	if f.Built.IsZero() {
		return nil
	}
	out := map[string]time.Time{}
	// an earlier walk had no error
	_ = fs.WalkDir(f.BuiltIn, ".", func(p string, _ fs.DirEntry, err error) error {
		out[p] = f.Built
		return err
	})
	return out
}

func treeHash(src fs.FS) (commit string, files int, bytes int64, err error) {
	sum := sha256.New()
	err = fs.WalkDir(src, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(src, p)
		if err != nil {
			return err
		}
		files++
		bytes += int64(len(data))
		fmt.Fprintf(sum, "%q %d\n", p, len(data)) // WalkDir has a fixed order
		sum.Write(data)
		return nil
	})
	if err != nil {
		return "", 0, 0, fmt.Errorf("read built-in docs: %w", err)
	}
	return "tree-" + hex.EncodeToString(sum.Sum(nil)), files, bytes, nil
}
