package openapi

import (
	"maps"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
)

// Restricted returns the sorted names of the descriptions that contain an operation which allows rejects.
func (s *Set) Restricted(allows func(reader.Visibility) bool) (names []string) {
	if s == nil {
		return nil
	}
	for _, spec := range s.specs {
		withheld := func(o *Operation) bool { return !allows(o.Visibility()) }
		if slices.ContainsFunc(slices.Concat(spec.Operations, spec.Webhooks), withheld) {
			names = append(names, spec.Name)
		}
	}
	return names
}

// Groups returns the groups that operations are restricted to, in no particular order.
func (s *Set) Groups() (names []string) {
	if s == nil {
		return nil
	}
	for _, spec := range s.specs {
		for _, o := range slices.Concat(spec.Operations, spec.Webhooks) {
			names = append(names, o.Visibility().Groups...)
		}
	}
	return names
}

// Visibility returns who may see an operation. It does not apply if the author has written a page for the operation.
func (o *Operation) Visibility() reader.Visibility {
	v := reader.Visibility{Groups: o.Mint.Groups}
	for _, m := range o.Mint.Metadata {
		switch m.Key {
		case "groups":
			v.Groups = Readers(m.Value)
		case "public":
			v.Public = m.Value.True()
		}
	}
	return v
}

// Files returns the sorted names of a description's files: its own file and the files it refers to.
func (s *Set) Files(name string) []string {
	spec := s.Spec(name)
	if spec == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(spec.files))
}

// Readers decodes a list of groups that restricts readers. For an invalid value it returns a group without members,
// because it is safer to hide the page than to show it to everyone.
func Readers(v *jsontree.Value) []string {
	names := v.Texts()
	if len(names) == 0 && v != nil && (len(v.Items) > 0 || len(v.Members) > 0) {
		return []string{""}
	}
	return names
}
