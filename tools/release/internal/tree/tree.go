package tree

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// File is a regular file, a folder (Mode has fs.ModeDir) or a symbolic link (Link is not empty).
type File struct {
	Name     string // slash-separated, relative, clean
	Mode     fs.FileMode
	UID, GID int
	Body     []byte
	Link     string
}

// Dir returns a folder owned by root.
func Dir(name string, mode fs.FileMode) File { return File{Name: name, Mode: mode | fs.ModeDir} }

// Complete sorts files and adds missing parent folders with mode 0755. Duplicate names are an error.
func Complete(files []File) ([]File, error) {
	byName := map[string]File{}
	for _, f := range files {
		if f.Name == "" || f.Name == "." || path.IsAbs(f.Name) || path.Clean(f.Name) != f.Name ||
			strings.HasPrefix(f.Name, "..") {
			return nil, fmt.Errorf("collect files: %q is not a clean relative path", f.Name)
		}
		if _, twice := byName[f.Name]; twice {
			return nil, fmt.Errorf("collect files: %s appears twice", f.Name)
		}
		byName[f.Name] = f
	}
	for _, f := range files {
		for dir := path.Dir(f.Name); dir != "."; dir = path.Dir(dir) {
			if above, ok := byName[dir]; !ok {
				byName[dir] = Dir(dir, 0o755)
			} else if !above.Mode.IsDir() {
				return nil, fmt.Errorf("collect files: %s is in %s, which is not a folder", f.Name, dir)
			}
		}
	}
	out := make([]File, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		out = append(out, byName[name])
	}
	return out, nil
}

// Tar writes files under prefix, which is "" or ends in a slash.
func Tar(w io.Writer, prefix string, files []File, at time.Time) error {
	all, err := Complete(files)
	if err != nil {
		return err
	}
	tw := tar.NewWriter(w)
	for _, f := range all {
		h := &tar.Header{Name: prefix + f.Name, Mode: unixMode(f.Mode), Uid: f.UID, Gid: f.GID,
			ModTime: at.UTC().Truncate(time.Second), Format: tar.FormatGNU}
		switch {
		case f.Mode.IsDir():
			h.Typeflag, h.Name = tar.TypeDir, h.Name+"/"
		case f.Link != "":
			h.Typeflag, h.Linkname, h.Mode = tar.TypeSymlink, f.Link, 0o777
		default:
			h.Typeflag, h.Size = tar.TypeReg, int64(len(f.Body))
		}
		if err := tw.WriteHeader(h); err != nil {
			return fmt.Errorf("write %s: %w", f.Name, err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := tw.Write(f.Body); err != nil {
				return fmt.Errorf("write %s: %w", f.Name, err)
			}
		}
	}
	return tw.Close()
}

// TarGz is like Tar, with compression. The gzip header has no time and no name.
func TarGz(prefix string, files []File, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	if err := Tar(zip, prefix, files, at); err != nil {
		return nil, err
	}
	if err := zip.Close(); err != nil {
		return nil, fmt.Errorf("compress archive: %w", err)
	}
	return b.Bytes(), nil
}

func unixMode(m fs.FileMode) int64 {
	mode := int64(m.Perm())
	for _, bit := range []struct {
		mode fs.FileMode
		unix int64
	}{{fs.ModeSetuid, 0o4000}, {fs.ModeSetgid, 0o2000}, {fs.ModeSticky, 0o1000}} {
		if m&bit.mode != 0 {
			mode |= bit.unix
		}
	}
	return mode
}
