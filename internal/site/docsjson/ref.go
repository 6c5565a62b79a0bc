package docsjson

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
)

const (
	maxRefs     = 200      // number of files read by $ref for one site
	maxRefBytes = 24 << 20 // total size of these files
)

// resolver replaces {"$ref": "./part.json", …} with the value of the file. Other members of the object override members
// of the file.
type resolver struct {
	src   fs.FS
	list  *diag.List
	stack []string // files being resolved, to detect cycles
	used  map[string]bool
	count int
	bytes int
}

func (r *resolver) resolve(v *jsontree.Value, file string) *jsontree.Value {
	switch v.Kind {
	case jsontree.List:
		var out []*jsontree.Value
		for _, item := range v.Items {
			got := r.resolve(item, file)
			if got.Kind == jsontree.List && item.Get("$ref") != nil { // a list is inserted item by item
				out = append(out, got.Items...)
			} else {
				out = append(out, got)
			}
		}
		v.Items = out
	case jsontree.Object:
		for i := range v.Members {
			v.Members[i].Value = r.resolve(v.Members[i].Value, file)
		}
		if ref := v.Get("$ref"); ref.Is(jsontree.String) {
			return r.include(v, ref, file)
		}
	}
	return v
}

func (r *resolver) include(v, ref *jsontree.Value, file string) *jsontree.Value {
	rest := slices.DeleteFunc(slices.Clone(v.Members), func(m jsontree.Member) bool { return m.Key == "$ref" })
	got := r.load(ref, file)
	if got == nil {
		out := jsontree.NewObject(rest...)
		out.Doc, out.Line, out.Column = v.Doc, v.Line, v.Column
		return out
	}
	if got.Kind == jsontree.Object {
		for _, m := range rest {
			got.Set(m)
		}
	}
	return got
}

// load reads the file that ref names. If that fails, it adds a diagnostic and returns nil.
func (r *resolver) load(ref *jsontree.Value, from string) *jsontree.Value {
	name := path.Join(path.Dir(from), ref.Str)
	if strings.HasPrefix(ref.Str, "/") {
		name = strings.TrimPrefix(path.Clean(ref.Str), "/")
	}
	if r.count++; r.count > maxRefs {
		r.list.Errorf(ref.Pos(), "ref-count", "The site file refers to more than %d files with $ref.", maxRefs)
		return nil
	}
	if !fs.ValidPath(name) || strings.ToLower(path.Ext(name)) != ".json" {
		r.list.Errorf(ref.Pos(), "ref-outside", "$ref must name a .json file inside the docs folder, not %q.", ref.Str)
		return nil
	}
	if slices.Contains(r.stack, name) {
		r.list.Errorf(ref.Pos(), "ref-cycle", "$ref forms a loop: %s is already being read.", name)
		return nil
	}
	data, err := safefile.Read(r.src, name, maxFile)
	if err != nil {
		r.list.Errorf(ref.Pos(), "ref-missing", "The file %s in $ref cannot be read.", name)
		return nil
	}
	if r.bytes += len(data); r.bytes > maxRefBytes {
		r.list.Errorf(ref.Pos(), "ref-count",
			"The files that the site file includes with $ref are larger than %d MB in total.", maxRefBytes>>20)
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
