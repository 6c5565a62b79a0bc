package sitereader

import (
	"context"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// List is one of the site's files for programs, such as llms.txt.
type List struct {
	Name        string
	Text        string // what it is
	ContentType string
}

var lists = []List{
	{"llms.txt", "Every page of the documentation with a line about each.", "text/plain"},
	{"skill.md", "What this product can do and how to use it, for agents.", "text/markdown"},
}

// Lists returns the lists that the site has.
func (l *Library) Lists() []List {
	return slices.DeleteFunc(slices.Clone(lists), func(f List) bool { return !l.files.Has(f.Name) })
}

// List reads a list.
func (l *Library) List(ctx context.Context, name string) (string, error) {
	if !slices.ContainsFunc(l.Lists(), func(f List) bool { return f.Name == name }) {
		return "", fault.New(fault.NotFound, "unknown_list", "List not found.")
	}
	raw, err := l.files.Read(ctx, name)
	return string(raw), err
}
