package bundlecheck

import (
	"fmt"
	"io/fs"
)

// walkFolder reads an unpacked bundle.
func (w *walker) walkFolder(root fs.FS) error {
	return fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("read folder: %w", err)
		}
		if name == "." {
			return nil
		}
		switch t := d.Type(); {
		case t&fs.ModeSymlink != 0:
			return refuse(Unsafe, name, "The entry is a symbolic link.")
		case !t.IsRegular() && !t.IsDir():
			return refuse(Unsafe, name, "The entry is neither a file nor a folder.")
		}
		if err := w.admit(name, d.IsDir()); err != nil || d.IsDir() {
			return err
		}
		return w.giveFrom(root, name)
	})
}

// giveFrom opens a file of the folder and passes it to the visitor.
func (w *walker) giveFrom(root fs.FS, name string) error {
	f, err := root.Open(name)
	if err != nil {
		return fmt.Errorf("open file: %w", err)
	}
	defer func() { _ = f.Close() }() // opened for reading only
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("stat file: %w", err)
	}
	if !info.Mode().IsRegular() { // it was replaced after it was listed
		return refuse(Unsafe, name, "The entry is not a file.")
	}
	w.packed += info.Size()
	body := &bounded{w: w, r: f, entry: name}
	return w.give(name, info.Size(), body)
}

// folderSize returns the total size of the files.
func folderSize(root fs.FS) (total int64) {
	// for progress only: the walk itself reports errors
	_ = fs.WalkDir(root, ".", func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				total += info.Size()
			}
		}
		return nil
	})
	return total
}
