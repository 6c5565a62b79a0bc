package backup

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
)

// Source describes what to back up.
type Source struct {
	Data  string       // the data folder
	Store *store.Store // its database
	Git   *git.Cache   // copies repositories of the embedded code host
	// Repositories is the folder with those repositories; whatever its name, a backup stores them below "proposals".
	Repositories string
	Version      string // of this program
	Now          func() time.Time

	WithoutSecret bool                    // leave out the secret key
	Progress      func(done, total int64) // bytes; nil for none
	Warn          func(error)             // called with problems that do not make the backup invalid; may be nil
	opened        func(name string) error // for tests: called before a file is read; nil otherwise
	patience      time.Duration           // how long to wait for the backup lock; 0 = lockPatience
}

// tempFolder is the name prefix of the folders in the data folder that hold copies while a backup is being made.
const tempFolder = "backup-tmp-"

// Create writes a backup to w. Apart from the list of files, memory use does not depend on the size of the backup.
// After an error, the data in w lacks the manifest and so is not a valid backup.
func Create(ctx context.Context, w io.Writer, src Source) (Manifest, error) {
	m, err := create(ctx, w, src)
	if err == nil {
		src.note(m.MadeAt)
	}
	return m, err
}

// create writes a backup without recording its time, which the caller does once the backup is in its final place.
func create(ctx context.Context, w io.Writer, src Source) (Manifest, error) {
	release, err := hold(ctx, src.Data, cmp.Or(src.patience, lockPatience))
	if err != nil {
		return Manifest{}, err
	}
	defer release()
	temp, err := src.makeTempDir()
	if err != nil {
		return Manifest{}, err
	}
	defer func() { _ = os.RemoveAll(temp) }() // the next backup removes leftovers
	p, err := src.plan(ctx, temp)
	if err != nil {
		return Manifest{}, err
	}
	return src.write(ctx, w, p)
}

// makeTempDir creates an empty folder and removes leftovers of backups that were killed. The lock must be held.
func (src Source) makeTempDir() (string, error) {
	old, err := filepath.Glob(filepath.Join(globQuote(src.Data), tempFolder+"*"))
	if err != nil {
		return "", fmt.Errorf("find leftovers: %w", err)
	}
	for _, dir := range old {
		if err := os.RemoveAll(dir); err != nil {
			return "", fmt.Errorf("remove leftovers: %w", err)
		}
	}
	temp, err := os.MkdirTemp(src.Data, tempFolder)
	if err != nil {
		return "", fmt.Errorf("create folder for copies: %w", err)
	}
	return temp, nil
}

func globQuote(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// write writes the planned files to the archive.
func (src Source) write(ctx context.Context, w io.Writer, p plan) (Manifest, error) {
	zip, err := gzip.NewWriterLevel(w, gzip.BestSpeed) // most of the data is already compressed
	if err != nil {
		return Manifest{}, err
	}
	a := &archive{ctx: ctx, tar: tar.NewWriter(zip), at: src.Now().UTC(), total: p.bytes, progress: src.Progress,
		sum: sha256.New()}
	m := Manifest{Head: Head{Format: Format, Tool: src.Version, Schema: p.schema, MadeAt: a.at, Secret: p.secret}}
	if err := a.json(headName, m.Head); err != nil {
		return m, err
	}
	for _, f := range p.files {
		if src.opened != nil {
			if err := src.opened(f.name); err != nil {
				return m, err
			}
		}
		written, err := a.file(f)
		if errors.Is(err, fs.ErrNotExist) && !p.needed[f.name] {
			continue // the copied database does not refer to it, and it has been removed since
		}
		if err != nil {
			return m, incomplete(f.name, err)
		}
		m.Files = append(m.Files, written)
	}
	if err := a.json(manifestName, m); err != nil {
		return m, err
	}
	if err := errors.Join(a.tar.Close(), zip.Close()); err != nil {
		return m, fmt.Errorf("write backup: %w", err)
	}
	return m, nil
}

func incomplete(name string, cause error) error {
	if errors.Is(cause, context.Canceled) {
		return cause
	}
	if !errors.Is(cause, fs.ErrNotExist) {
		return fmt.Errorf("back up %s: %w", name, cause)
	}
	return fault.Newf(fault.Internal, "incomplete_data",
		"The stored file %s, which the database refers to, is missing.", name).
		WithHint(
			"No backup was made, because it would be incomplete. Restore that file from an older backup, or publish the project again and wait until the old deployment is removed. lectern doctor shows the details.").WithCause(cause)
}

// archive writes one file after another.
type archive struct {
	ctx         context.Context
	tar         *tar.Writer
	at          time.Time
	done, total int64
	progress    func(done, total int64)
	sum         hash.Hash
}

func (a *archive) head(name string, size int64) error {
	if err := a.ctx.Err(); err != nil {
		return err
	}
	err := a.tar.WriteHeader(&tar.Header{Name: name, Size: size, Mode: 0o600, ModTime: a.at.Truncate(time.Second),
		Typeflag: tar.TypeReg})
	if err != nil {
		return fmt.Errorf("write backup: %w", err)
	}
	return nil
}

func (a *archive) json(name string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := a.head(name, int64(len(raw))); err != nil {
		return err
	}
	if _, err := io.Copy(a.tar, bytes.NewReader(raw)); err != nil {
		return fmt.Errorf("write backup: %w", err)
	}
	return nil
}

func (a *archive) file(f planned) (File, error) {
	in, err := os.Open(f.path)
	if err != nil {
		return File{}, err
	}
	defer func() { _ = in.Close() }() // read only
	info, err := in.Stat()
	if err != nil {
		return File{}, err
	}
	if !info.Mode().IsRegular() {
		return File{}, fmt.Errorf("%s is not a regular file", f.path)
	}
	if err := a.head(f.name, info.Size()); err != nil {
		return File{}, err
	}
	a.sum.Reset()
	n, err := io.Copy(io.MultiWriter(a.tar, a.sum),
		&watched{ctx: a.ctx, from: io.LimitReader(in, info.Size()), seen: a.count})
	if err == nil && n != info.Size() {
		err = fmt.Errorf("shrank from %d to %d bytes while it was read", info.Size(), n)
	}
	return File{Path: f.name, Size: n, SHA256: hex.EncodeToString(a.sum.Sum(nil))}, err
}

func (a *archive) count(n int) {
	a.done += int64(n)
	if a.progress != nil {
		a.progress(min(a.done, a.total), a.total)
	}
}

// watched is a reader that reports how many bytes were read, and stops when its context ends.
type watched struct {
	ctx  context.Context
	from io.Reader
	seen func(n int)
}

func (w *watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.from.Read(p)
	w.seen(n)
	return n, err
}
