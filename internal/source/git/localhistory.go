package git

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
)

// PastChange is a commit that removed files of the docs folder, or changed its site file.
type PastChange struct {
	Commit
	removed []leaf
}

// History is the history of a docs folder on one branch. The caller closes it.
type History struct {
	repo    *LocalRepo
	blobs   *blobReader
	Changes []PastChange // newest first
	Cut     bool         // there are more commits than the limit, or the clone is shallow
}

// siteFiles are the files that define redirects; they are always at the top of the docs folder.
var siteFiles = []string{"docs.json", "mint.json"}

// maxPart limits the size of a part of the site file that is read from history, in bytes.
const maxPart = 1 << 20

// History lists the ancestors of a commit that removed a page or changed the site file: at most limit of each kind. If
// a branch was merged, only the merge commit counts.
func (r *LocalRepo) History(ctx context.Context, commit string, limit int) (*History, error) {
	h := &History{repo: r, Cut: r.Shallow(ctx)}
	seen := map[string]int{} // id → position in Changes
	for _, filter := range [][]string{{"--diff-filter=D", commit, "--", "*.mdx", "*.md"},
		append([]string{"--diff-filter=DM", commit, "--"}, siteFiles...)} {
		n, last := 0, ""
		err := r.raw(ctx, func(c Commit, l leaf) {
			if c.ID != last {
				n, last = n+1, c.ID
			}
			at, known := seen[c.ID]
			if !known {
				at, seen[c.ID] = len(h.Changes), len(h.Changes)
				h.Changes = append(h.Changes, PastChange{Commit: c})
			}
			if page := path.Ext(l.path); page == ".mdx" || page == ".md" {
				h.Changes[at].removed = append(h.Changes[at].removed, l)
			}
		}, append([]string{"-n", strconv.Itoa(limit)}, filter...)...)
		if err != nil {
			return nil, fmt.Errorf("read history: %w", err)
		}
		h.Cut = h.Cut || n >= limit
	}
	var err error
	h.blobs, err = r.openBlobs(ctx)
	return h, err
}

// raw calls use with each commit and the previous state of each of its files, newest first.
func (r *LocalRepo) raw(ctx context.Context, use func(Commit, leaf), args ...string) error {
	return r.read(ctx, func(stdout io.Reader) error {
		var at Commit
		parts := pieces(stdout)
		for parts.Scan() {
			text := strings.TrimPrefix(parts.Text(), "\n")
			if head, ok := strings.CutPrefix(text, "\x01"); ok {
				at.ID, at.Subject, _ = strings.Cut(head, " ")
				continue
			}
			f := strings.Fields(strings.TrimPrefix(text, ":"))
			if len(f) != 5 || !objectID.MatchString(f[2]) || !parts.Scan() {
				return fmt.Errorf("read history: unexpected output from git")
			}
			use(at, leaf{mode: f[0], kind: "blob", id: f[2], path: parts.Text()})
		}
		return parts.Err()
	}, append([]string{"log", "-m", "--first-parent", "--no-show-signature", "--no-renames", "--no-ext-diff",
		"--no-textconv", "--raw", "--no-abbrev", "-z", "--relative", logFormat}, args...)...)
}

// Before returns the docs folder before a change, limited to what affects addresses: the pages that the change
// removed, the site file and the ignore files. ok is false if there was no site file, because then there was no
// site.
func (h *History) Before(ctx context.Context, c PastChange) (t *LocalTree, ok bool, err error) {
	t = newLocalTree(h.blobs)
	folders := map[string]bool{".": true}
	for _, l := range c.removed {
		t.add(l)
		for dir := path.Dir(l.path); !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	split := false
	for _, name := range siteFiles {
		if data, found := h.probe(t, c.ID+"^", name); found {
			ok, split = true, split || bytes.Contains(data, []byte(`"$ref"`))
		}
	}
	for dir := range folders {
		h.probe(t, c.ID+"^", path.Join(dir, ".mintignore"))
		h.probe(t, c.ID+"^", path.Join(dir, ".lecternignore"))
	}
	if split { // the site file refers to other files
		whole, err := h.repo.tree(ctx, h.blobs, c.ID+"^")
		if err != nil {
			return nil, false, err
		}
		for name, n := range whole.nodes {
			if path.Ext(name) == ".json" && n.mode.IsRegular() && n.size <= maxPart && t.nodes[name] == nil {
				t.enter(name, n)
			}
		}
	}
	t.sort()
	return t, ok, ctx.Err()
}

// probe adds a file of a commit to the tree if it exists.
func (h *History) probe(t *LocalTree, commit, name string) (data []byte, ok bool) {
	object := commit + ":" + path.Join(h.repo.folder, name)
	if strings.ContainsAny(object, "\n\x00") {
		return nil, false
	}
	data, err := h.blobs.read(object)
	if err != nil {
		return nil, false
	}
	t.add(leaf{mode: modeFile, kind: "blob", id: object, size: int64(len(data)), path: name})
	return data, true
}

// Close ends the git process that reads the files.
func (h *History) Close() error { return h.blobs.Close() }
