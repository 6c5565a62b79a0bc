package jobpage

import (
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

func TestRenamedFileIsComparedWithTheOldOne(t *testing.T) {
	patch := draft.Patch([]draft.Change{
		{Path: "b.mdx", From: "a.mdx", Before: []byte("1\n2\n"), After: []byte("1\n3\n")},
		{Path: "d.mdx", From: "c.mdx", Before: []byte("same\n"), After: []byte("same\n")}})
	from := []string{"a.mdx", "c.mdx"}
	got := changeOf(client.ProposalChanges{Patch: &patch, Files: []client.ProposalFile{
		{Path: "b.mdx", From: &from[0], Change: "renamed", Added: 1, Removed: 1},
		{Path: "d.mdx", From: &from[1], Change: "renamed"}}}, "https://site.example")
	if len(got.Files) != 2 || got.Files[0].From != "a.mdx" || got.Files[0].Kind != "renamed" ||
		len(got.Files[0].List) != 4 || got.Files[0].Note != "" || got.Files[0].Page != "https://site.example/b" {
		t.Errorf("%+v", got.Files)
	}
	if got.Files[1].From != "c.mdx" || got.Files[1].Note != "The content is the same." {
		t.Errorf("%+v", got.Files[1])
	}
}
