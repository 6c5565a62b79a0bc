package filewatch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options configures what to watch. Zero durations take their defaults.
type Options struct {
	Dir    string
	Repair time.Duration // changes are reported after this quiet time; 10 ms
	Poll   time.Duration // polling interval if the system does not support notifications; 400 ms
	ByPoll bool          // do not use notifications
	Ready  func()        // called once changes are detected; may be nil
}

const (
	settle     = 10 * time.Millisecond
	settleMost = 5 * settle // continuous changes are reported after this time
	pollEvery  = 400 * time.Millisecond
)

// Run calls report for every change until ctx ends. Calls do not overlap. If the system cannot send notifications,
// for example because too many folders are already watched, it polls. It returns an error if the folder cannot be
// watched at all.
func Run(ctx context.Context, opt Options, report func(changed []string)) error {
	if opt.Repair <= 0 {
		opt.Repair = settle
	}
	if opt.Poll <= 0 {
		opt.Poll = pollEvery
	}
	if opt.Ready == nil {
		opt.Ready = func() {}
	}
	if !opt.ByPoll {
		w, err := open(opt.Dir)
		if err == nil {
			defer w.close()
			opt.Ready()
			err = w.run(ctx, opt.Repair, report)
		}
		if !errors.Is(err, errCannotWatch) {
			return err
		}
		report(nil) // changes since then are unknown
	}
	return poll(ctx, opt, report)
}

var errCannotWatch = errors.New("the operating system cannot watch the folder")

// watcher uses the system's notifications.
type watcher struct {
	root    string
	events  *fsnotify.Watcher
	folders map[string]bool // watched folders, by the system's names
}

func open(dir string) (*watcher, error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("watch folder: %w", err)
	}
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errCannotWatch, err)
	}
	w := &watcher{root: root, events: events, folders: map[string]bool{}}
	if _, err := w.add(root); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *watcher) close() { _ = w.events.Close() } // no data is lost

// add watches a folder and its subfolders, and returns the files in them.
func (w *watcher) add(dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil: // already removed, or not accessible
			return nil
		case name != w.root && ignored(d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.IsDir():
			files = append(files, name)
			return nil
		}
		if err := w.events.Add(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: %w", errCannotWatch, err)
		}
		w.folders[name] = true
		return nil
	})
	return files, err
}

// ignored reports whether a name is never part of a site: hidden files, except ignore files, and packages.
func ignored(name string) bool {
	return strings.HasPrefix(name, ".") && !strings.HasSuffix(name, "ignore") || name == "node_modules"
}

// batch is the set of changes since the last report.
type batch struct {
	files map[string]bool
	all   bool
}

func (w *watcher) run(ctx context.Context, quiet time.Duration, report func([]string)) error {
	var b batch
	var silence, most <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-w.events.Events:
			if !ok {
				return errCannotWatch
			}
			if err := w.take(e, &b); err != nil {
				return err
			}
		case err, ok := <-w.events.Errors:
			if !ok {
				return errCannotWatch
			}
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				return fmt.Errorf("%w: %w", errCannotWatch, err)
			}
			if _, err := w.add(w.root); err != nil {
				return err
			}
			b.all = true
		case <-silence:
			b.flush(report)
			silence, most = nil, nil
			continue
		case <-most:
			b.flush(report)
			silence, most = nil, nil
			continue
		}
		if !b.empty() {
			silence = time.After(quiet)
			if most == nil {
				most = time.After(settleMost)
			}
		}
	}
}

// take handles one event.
func (w *watcher) take(e fsnotify.Event, b *batch) error {
	name, err := filepath.Rel(w.root, e.Name)
	if err != nil || slices.ContainsFunc(strings.Split(filepath.ToSlash(name), "/"),
		func(part string) bool { return part != "." && ignored(part) }) {
		return nil
	}
	if w.folders[e.Name] {
		if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
			w.forget(e.Name)
			b.all = true
		}
		return nil
	}
	if e.Op == fsnotify.Chmod {
		return nil
	}
	if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
		files, err := w.add(e.Name)
		for _, f := range files {
			b.add(w.root, f)
		}
		return err
	}
	b.add(w.root, e.Name)
	return nil
}

// forget drops a removed folder and its subfolders.
func (w *watcher) forget(dir string) {
	for f := range w.folders {
		if f == dir || strings.HasPrefix(f, dir+string(filepath.Separator)) {
			delete(w.folders, f)
			_ = w.events.Remove(f) // the system may have removed it already
		}
	}
}

func (b *batch) add(root, name string) {
	if rel, err := filepath.Rel(root, name); err == nil {
		if b.files == nil {
			b.files = map[string]bool{}
		}
		b.files[filepath.ToSlash(rel)] = true
	}
}

func (b *batch) empty() bool { return !b.all && len(b.files) == 0 }

// flush reports and clears the batch.
func (b *batch) flush(report func([]string)) {
	switch {
	case b.all:
		report(nil)
	case len(b.files) > 0:
		out := make([]string, 0, len(b.files))
		for f := range b.files {
			out = append(out, f)
		}
		slices.Sort(out)
		report(out)
	}
	*b = batch{}
}
