package daemon

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/source/localdir"
)

// C10: no root may contain a folder in which the server keeps its cache, repositories or credentials. The data folder
// may be inside a root.
func TestSourceRootCannotContainServerFolders(t *testing.T) {
	for name, set := range map[string]func(s *config.Server, root string){
		"cache":        func(s *config.Server, root string) { s.CacheFolder = filepath.Join(root, "own") },
		"repositories": func(s *config.Server, root string) { s.Repositories = filepath.Join(root, "own") },
		"credentials":  func(s *config.Server, root string) { s.CredentialsDir = filepath.Join(root, "own") },
		"data":         nil,
	} {
		settings := ownSettings(t)
		c, _ := process(t, settings, true)
		root := t.TempDir()
		if err := os.Mkdir(filepath.Join(root, "own"), 0o700); err != nil {
			t.Fatal(err)
		}
		if set == nil {
			root = filepath.Dir(c.Config.Data)
		} else {
			set(&c.Config, root)
		}
		if err := c.localSources(c.Store).
			Check(localdir.Root{Organization: "org_a", Path: root}); (err == nil) != (set == nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
