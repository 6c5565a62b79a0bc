package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The modes of tree entries, as git prints them.
const (
	modeFile    = "100644"
	modeProgram = "100755"
	modeLink    = "120000"
	modeModule  = "160000" // a submodule
)

// leaf is an entry of a tree that is not a tree itself.
type leaf struct {
	mode, kind, id string
	size           int64 // of a blob
	path           string
}

func (l leaf) regular() bool {
	// old tools wrote 100664
	return l.kind == "blob" && (l.mode == modeFile || l.mode == modeProgram || l.mode == "100664")
}

// leaves lists a tree with "git ls-tree" and the given arguments. It stops at the first error of use.
func (j *job) leaves(ctx context.Context, m *mirror, use func(leaf) error, args ...string) error {
	return j.stream(ctx, m, func(_ io.WriteCloser, out io.Reader) error {
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		lines.Split(splitNUL)
		for lines.Scan() {
			l, err := parseLeaf(lines.Text())
			if err == nil {
				err = use(l)
			}
			if err != nil {
				return err
			}
		}
		return lines.Err()
	}, append([]string{"ls-tree", "-z", "-l"}, args...)...)
}

// parseLeaf parses "mode type id size<TAB>path"; entries other than blobs have a hyphen as size.
func parseLeaf(line string) (leaf, error) {
	meta, name, ok := strings.Cut(line, "\t")
	f := strings.Fields(meta)
	if !ok || len(f) != 4 {
		return leaf{}, errors.New("read tree: unexpected line from git")
	}
	l := leaf{mode: f[0], kind: f[1], id: f[2], path: name}
	if l.kind != "blob" {
		return l, nil
	}
	size, err := strconv.ParseInt(f[3], 10, 64)
	if err != nil {
		return leaf{}, fmt.Errorf("read tree: %w", err)
	}
	l.size = size
	return l, nil
}
