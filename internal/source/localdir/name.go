package localdir

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/filestamp"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// State is the content of a folder at one time.
type State struct {
	Name string // the Commit of a snapshot of the folder
	// Digest covers every regular file, link and special file, including those that a snapshot leaves out. It does not
	// cover folders without files or anything that Covers excludes.
	Digest [sha256.Size]byte
	Linked bool // the folder contains symbolic links, whose targets Digest may not cover
}

// Examine returns the state of a folder without copying it. It reads only files that are not in known and adds them to
// it; known may be nil. For an unreadable file, the state includes only the path.
func Examine(
	ctx context.Context, src fs.FS, limits sourcetree.Limits, known *filestamp.Index,
) (s State, err error) {
	x := examiner{ctx: ctx, src: src, known: known, began: known.Now(), read: map[string]content{}}
	entries, err := list(ctx, src, "", limits.OrDefault())
	if err != nil {
		return s, err
	}
	files, _, err := sourcetree.Plan(entries, limits)
	if err != nil {
		return s, err
	}
	h := sha256.New()
	lines := bufio.NewWriterSize(h, lineBuffer)
	for _, f := range files {
		c, err := x.content(f.Entry)
		if err != nil {
			return s, fmt.Errorf("read folder: %w", err)
		}
		_, _ = lines.Write(appendLine(lines.AvailableBuffer(), f.Path, c.size, c.sum))
	}
	_ = lines.Flush() // a hash returns no errors
	s.Name = "tree-" + hex.EncodeToString(h.Sum(nil))
	h.Reset()
	for _, e := range entries {
		_, _ = lines.WriteString(strconv.Itoa(int(e.Kind)) + "\x00" + e.Target + "\x00")
		s.Linked = s.Linked || e.Kind == sourcetree.Link
		var c content
		if e.Kind == sourcetree.Regular {
			if c, err = x.content(e); err != nil {
				return s, fmt.Errorf("read folder: %w", err)
			}
		}
		_, _ = lines.Write(appendLine(lines.AvailableBuffer(), e.Path, c.size, c.sum))
	}
	_ = lines.Flush()
	s.Digest = [sha256.Size]byte(h.Sum(nil))
	return s, nil
}

// lineBuffer is the size in bytes of the blocks that are hashed at once. Larger blocks are faster.
const lineBuffer = 32 << 10

// examiner reads the files of a folder.
type examiner struct {
	ctx   context.Context
	src   fs.FS
	known *filestamp.Index
	began time.Time          // before the folder was listed
	read  map[string]content // by path
}

type content struct {
	size int64 // -1 = unreadable
	sum  [sha256.Size]byte
}

// content returns the content of a regular file.
func (x *examiner) content(e sourcetree.Entry) (c content, err error) {
	if sum, ok := x.known.Find(e.Key, e.Info); ok {
		return content{e.Size, sum}, nil
	}
	c, ok := x.read[e.Key]
	if !ok {
		if c, err = x.readFile(e); err == nil {
			x.read[e.Key] = c
		}
	}
	return c, err
}

func (x *examiner) readFile(e sourcetree.Entry) (c content, err error) {
	if err := x.ctx.Err(); err != nil {
		return c, err
	}
	in, err := x.src.Open(e.Key)
	if errors.Is(err, fs.ErrPermission) {
		return content{-1, sha256.Sum256(nil)}, nil
	}
	if err != nil {
		return c, err
	}
	defer func() { _ = in.Close() }() // opened for reading only
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() {
		return c, fmt.Errorf("%s is no longer a regular file", e.Path)
	}
	h := sha256.New()
	if c.size, err = io.Copy(h, in); err != nil {
		return c, err
	}
	c.sum = [sha256.Size]byte(h.Sum(nil))
	x.known.Keep(e.Key, e.Info, x.began, c.sum)
	return c, nil
}
