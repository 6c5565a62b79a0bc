package i18n

import (
	"io/fs"
	"path"
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/web/theme"
)

// modules returns the source of each module of the script that every page loads, by path. Other scripts have their own
// tables.
func modules(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(theme.FS(), "src", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{"playground", "assistant", "analytics"}, d.Name()) {
			return fs.SkipDir
		}
		if path.Ext(name) != ".ts" {
			return nil
		}
		data, err := fs.ReadFile(theme.FS(), name)
		out[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
