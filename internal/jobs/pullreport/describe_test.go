package pullreport

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
)

func TestStatusNamesAreShortAndASCII(t *testing.T) {
	for name, want := range map[string]string{
		"Docs":                                   "lectern/docs-abcdef",
		"Größe!":                                 "lectern/gr-e-abcdef",
		"文書":                                     "lectern/docs-abcdef",
		"The documentation of our large product": "lectern/the-documentation-of-our-abcdef",
		"The documentation, volume 2 and 3":      "lectern/the-documentation-volume-abcdef",
	} {
		if got := statusName(project.Project{ID: "prj_0123abcdef", Name: name}); got != want {
			t.Errorf("%s has the status %s, want %s", name, got, want)
		}
	}
}
