package sourcetree

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// maxDiagnostics limits the warnings of one plan, so that a hostile tree cannot flood the log.
const maxDiagnostics = 200

// Plan returns the files of a snapshot, sorted by path. Links to a file or folder inside the tree become copies of
// their targets. Other links, submodules, special files, oversized files and unusable names are left out with a
// warning.
func Plan(entries []Entry, limits Limits) ([]File, diag.List, error) {
	p := &planner{limits: limits.OrDefault(), root: newNode(), reported: map[string]bool{}}
	for _, e := range entries {
		p.insert(e)
	}
	if err := p.walk("", p.root, "", nil); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(p.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return p.files, p.diagnostics, nil
}

// node is a folder (children) or a leaf (entry).
type node struct {
	children map[string]*node
	entry    *Entry
}

func newNode() *node { return &node{children: map[string]*node{}} }

type planner struct {
	limits      Limits
	root        *node
	files       []File
	bytes       int64
	visited     int // nodes visited, including copies made for links
	reported    map[string]bool
	diagnostics diag.List
}

// insert adds e to the tree. If a name is used twice, or both as file and folder, the first use is kept.
func (p *planner) insert(e Entry) {
	if why := badName(e.Path); why != "" {
		p.warn(e.Path, "bad_file_name", "Skipped: "+why+".", "Rename the file.")
		return
	}
	at := p.root
	dir, name := path.Split(e.Path)
	for element := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		if element == "" {
			continue
		}
		if at.children[element] == nil {
			at.children[element] = newNode()
		}
		at = at.children[element]
		if at.entry != nil {
			p.warn(e.Path, "duplicate_file_name", "Skipped: a file has the same name as its folder.", "")
			return
		}
	}
	if at.children[name] != nil {
		p.warn(e.Path, "duplicate_file_name", "Skipped: the name is used twice.", "")
		return
	}
	at.children[name] = &node{entry: &e}
}

// walk emits the files of the folder at real under the path out. active lists the folders whose walks led here through
// links. Following a link to one of them, or to a parent of one, would never end.
func (p *planner) walk(real string, folder *node, out string, active []string) error {
	for _, name := range slices.Sorted(maps.Keys(folder.children)) {
		if p.visited++; p.visited > p.limits.Visits() {
			return p.limits.TooMany()
		}
		child, from, to := folder.children[name], path.Join(real, name), path.Join(out, name)
		var err error
		if child.entry == nil {
			err = p.walk(from, child, to, active)
		} else if child.entry.Kind == Link {
			err = p.follow(from, child.entry, to, active)
		} else {
			err = p.emit(to, child.entry)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// follow emits the target of the link at real.
func (p *planner) follow(real string, link *Entry, out string, active []string) error {
	at, target, problem := p.resolve(path.Dir(real), link.Target)
	if problem == "" && target.entry == nil {
		active = append(slices.Clone(active), path.Dir(real))
		if slices.ContainsFunc(active, func(a string) bool { return around(at, a) }) {
			problem = "it points to a folder that contains it"
		}
	}
	if problem != "" {
		p.warn(real, "link_skipped", "Skipped: the symbolic link is not followed, because "+problem+".",
			"Links may only point to files and folders inside the docs folder.")
		return nil
	}
	if target.entry != nil {
		return p.emit(out, target.entry)
	}
	return p.walk(at, target, out, active)
}

// around reports whether folder is inner or contains it; "." is the root of the tree.
func around(folder, inner string) bool {
	return folder == "." || folder == "" || folder == inner || strings.HasPrefix(inner, folder+"/")
}

// emit adds a file, or a warning if e has no content that can be copied.
func (p *planner) emit(to string, e *Entry) error {
	switch {
	case e.Kind == Submodule:
		p.warn(to, "submodule_skipped", "Skipped: submodules are not fetched.", "Copy the files into this repository.")
		return nil
	case e.Kind != Regular:
		p.warn(to, "special_file_skipped", "Skipped: not a regular file.", "")
		return nil
	case e.Size > p.limits.FileBytes:
		p.warn(to, "file_too_large",
			fmt.Sprintf("Skipped: the file has %d bytes; the limit is %d.", e.Size, p.limits.FileBytes), "")
		return nil
	case !output.ValidPath(to):
		p.warn(to, "bad_file_name", "Skipped: archives cannot contain a file with this name.", "Rename the file.")
		return nil
	case len(to) > maxPath:
		p.warn(to, "bad_file_name", "Skipped: its path is longer than 1024 bytes.", "")
		return nil
	}
	p.files = append(p.files, File{Path: to, Entry: *e})
	p.bytes += e.Size
	if len(p.files) > p.limits.Files {
		return p.limits.TooMany()
	}
	if p.bytes > p.limits.Bytes {
		return fault.Newf(fault.TooLarge, "source_too_large", "The source's files have more than %d bytes in total.",
			p.limits.Bytes).
			WithHint("Set the docs folder to the part of the repository that contains the documentation.")
	}
	return nil
}

// warn adds a diagnostic, once per file and code.
func (p *planner) warn(file, code, message, hint string) {
	if p.reported[code+file] || len(p.diagnostics) >= maxDiagnostics {
		return
	}
	p.reported[code+file] = true
	p.diagnostics = append(p.diagnostics, diag.Diagnostic{
		File: printable(file), Severity: diag.Warning, Code: code, Message: message, Hint: hint,
	})
}
