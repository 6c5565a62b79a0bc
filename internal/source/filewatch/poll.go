package filewatch

import (
	"context"
	"io/fs"
	"path/filepath"
	"time"
)

// stamp holds the properties that indicate a change to a file.
type stamp struct {
	at   time.Time
	size int64
}

// poll checks all files periodically.
func poll(ctx context.Context, opt Options, report func([]string)) error {
	before := scan(opt.Dir)
	opt.Ready()
	ticker := time.NewTicker(opt.Poll)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		after := scan(opt.Dir)
		b := batch{files: map[string]bool{}}
		for name, s := range after {
			if before[name] != s {
				b.files[name] = true
			}
		}
		for name := range before {
			if _, still := after[name]; !still {
				b.files[name] = true
			}
		}
		b.flush(report)
		before = after
	}
}

// scan returns the stamps of all files.
func scan(dir string) map[string]stamp {
	out := map[string]stamp{}
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error { // unreadable files count as missing
		if err != nil {
			return nil
		}
		if name != dir && ignored(d.Name()) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		rel, relErr := filepath.Rel(dir, name)
		if info, err := d.Info(); err == nil && relErr == nil && !d.IsDir() {
			out[filepath.ToSlash(rel)] = stamp{info.ModTime(), info.Size()}
		}
		return nil
	})
	return out
}
