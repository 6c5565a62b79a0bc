package docsjson

import (
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// Status says whether a key has an effect.
type Status string

const (
	Honoured     Status = "honoured"
	Inapplicable Status = "inapplicable" // known, but without effect
	Unknown      Status = "unknown"
)

// Use is a key of the site file: its path, with "[]" for items of lists and "*" for names that the author chooses.
// Keys of navigation entries have the same path at any depth: navigation.groups[].icon.
type Use struct {
	Path   string
	Status Status
	Reason string // for Inapplicable
}

// Keys lists every key of docs.json, sorted by Path.
func Keys() (out []Use) {
	walk(siteShape(), func(path string, k key) {
		u := k.effect()
		u.Path = path
		out = append(out, u)
	})
	slices.SortFunc(out, func(a, b Use) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// Survey lists the keys in the site file of src, sorted by Path. Paths of keys in mint.json begin with "mint.json ".
func Survey(src fs.FS) []Use {
	var list diag.List
	c := newChecker(&list)
	c.uses = map[string]Use{}
	name, data := find(src, &list)
	if name == "" {
		return nil
	}
	root, _ := read(src, name, data, &list)
	if root == nil {
		return nil
	}
	shape, prefix := siteShape(), ""
	if name == legacyFile {
		shape, prefix = legacyShape(), legacyFile+" "
	}
	c.check(root, shape, &place{})
	out := slices.SortedFunc(maps.Values(c.uses), func(a, b Use) int { return strings.Compare(a.Path, b.Path) })
	for i := range out {
		out[i].Path = prefix + out[i].Path
	}
	return out
}

// effect returns the effect of a key. A key whose value is an object has no effect if none of the object's keys has
// one.
func (k *key) effect() Use {
	if k.idle != "" {
		return Use{Status: Inapplicable, Reason: k.idle}
	}
	used := func(k key) bool { return k.idle == "" }
	if s := k.shape; s.rest == nil && len(s.keys) > 0 && len(s.kinds) == 1 && !slices.ContainsFunc(s.keys, used) {
		return Use{Status: Inapplicable, Reason: s.keys[0].idle}
	}
	return Use{Status: Honoured}
}

// use records that the file has a key.
func (c *checker) use(at *place, u Use) {
	if c.uses != nil {
		u.Path = at.level
		c.uses[u.Path] = u
	}
}

// walk calls f for each key below a shape with its path, enclosing keys first, and once for each path.
func walk(s *shape, f func(path string, k key)) {
	seen := map[string]bool{}
	var walk func(s *shape, path string)
	walk = func(s *shape, path string) {
		if s.level != "" {
			path = s.level
		}
		if s.item != nil {
			if s.item.choose == nil {
				walk(s.item, path+"[]")
			} else {
				walk(s.item.choose(jsontree.NewObject()), path+"[]")
			}
		}
		keys := s.keys
		if s.rest != nil {
			keys = append(slices.Clone(keys), key{name: "*", shape: s.rest.shape, idle: s.rest.idle})
		}
		for _, k := range keys {
			at := strings.TrimPrefix(path+"."+k.name, ".")
			if seen[at] {
				continue
			}
			seen[at] = true
			f(at, k)
			if k.shape != nil {
				walk(k.shape, at)
			}
		}
	}
	walk(s, "")
}
