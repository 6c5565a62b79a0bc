package openapi

import (
	"maps"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// Restricted returns the names of the descriptions with an operation for some readers only, ordered.
func (s *Set) Restricted() (names []string) {
	if s == nil {
		return nil
	}
	for _, spec := range s.specs {
		if slices.ContainsFunc(slices.Concat(spec.Operations, spec.Webhooks), (*Operation).restricted) {
			names = append(names, spec.Name)
		}
	}
	return names
}

func (o *Operation) restricted() bool {
	groups, open := o.Mint.Groups, false
	for _, m := range o.Mint.Metadata {
		switch m.Key {
		case "groups":
			groups = Readers(m.Value)
		case "public":
			open = m.Value.True()
		}
	}
	return len(groups) > 0 && !open
}

// Files returns the names of a description's own file and of those it refers to, ordered.
func (s *Set) Files(name string) []string {
	spec := s.Spec(name)
	if spec == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(spec.files))
}

// Readers reads the groups that may see something. An invalid value gives a group without members: better hidden than
// shown to everyone.
func Readers(v *jsontree.Value) []string {
	names := v.Texts()
	if len(names) == 0 && v != nil && (len(v.Items) > 0 || len(v.Members) > 0) {
		return []string{""}
	}
	return names
}
