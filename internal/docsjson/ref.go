package docsjson

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/diag"
)

const maxRefs = 200 // $ref files read for one site

// resolver replaces {"$ref": "./part.json", …} by the file's value; members beside $ref override it.
type resolver struct {
	src   fs.FS
	list  *diag.List
	stack []string // files being resolved, to find cycles
	used  map[string]bool
	count int
}

func (r *resolver) resolve(v *value, file string) *value {
	switch v.kind {
	case list:
		var out []*value
		for _, item := range v.items {
			got := r.resolve(item, file)
			if got.kind == list && item.get("$ref") != nil { // a list in place of one item is spliced in
				out = append(out, got.items...)
			} else {
				out = append(out, got)
			}
		}
		v.items = out
	case object:
		for i := range v.members {
			v.members[i].val = r.resolve(v.members[i].val, file)
		}
		if ref := v.get("$ref"); ref != nil && ref.kind == text {
			return r.include(v, ref, file)
		}
	}
	return v
}

func (r *resolver) include(v, ref *value, file string) *value {
	rest := slices.DeleteFunc(slices.Clone(v.members), func(m member) bool { return m.key == "$ref" })
	got := r.load(ref, file)
	if got == nil {
		return &value{kind: object, members: rest, pos: v.pos}
	}
	if got.kind == object {
		for _, m := range rest {
			got.set(m)
		}
	}
	return got
}

// load reads the file that ref names. It returns nil after a diagnostic.
func (r *resolver) load(ref *value, from string) *value {
	name := path.Join(path.Dir(from), ref.str)
	if strings.HasPrefix(ref.str, "/") {
		name = strings.TrimPrefix(path.Clean(ref.str), "/")
	}
	if r.count++; r.count > maxRefs {
		r.list.Errorf(ref.pos, "ref-count", "The site file names more than %d other files by $ref.", maxRefs)
		return nil
	}
	if !fs.ValidPath(name) || strings.ToLower(path.Ext(name)) != ".json" {
		r.list.Errorf(ref.pos, "ref-outside", "$ref must name a .json file inside the docs folder, not %q.", ref.str)
		return nil
	}
	if slices.Contains(r.stack, name) {
		r.list.Errorf(ref.pos, "ref-cycle", "$ref leads back to %s, which is being read already.", name)
		return nil
	}
	data, err := readFile(r.src, name)
	if err != nil {
		r.list.Errorf(ref.pos, "ref-missing", "$ref names %s, which cannot be read.", name)
		return nil
	}
	got := parseJSON(name, data, r.list)
	if got == nil {
		return nil
	}
	r.used[name] = true
	r.stack = append(r.stack, name)
	got = r.resolve(got, name)
	r.stack = r.stack[:len(r.stack)-1]
	return got
}

var errNotRegular = errors.New("not a regular file")

// readFile reads a regular file of at most maxFile+1 bytes, and no symbolic link.
func readFile(src fs.FS, name string) ([]byte, error) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) { // a linked folder could lead outside
		if info, err := fs.Lstat(src, dir); err != nil || !info.IsDir() {
			return nil, errors.Join(err, errNotRegular)
		}
	}
	info, err := fs.Lstat(src, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := src.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only: nothing to lose
	return io.ReadAll(io.LimitReader(f, maxFile+1))
}
