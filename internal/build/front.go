package build

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/web/theme"
)

// frontEnd bundles the theme's scripts and joins its style sheets. They are the same for every site, so each is
// created once per process, when a build first needs it.
type frontEnd struct {
	mu   sync.Mutex
	made map[string]func() ([]byte, error)
}

// sharedFront is the front end that all tools share, because it depends only on the program.
var sharedFront = sync.OnceValue(func() *frontEnd { return &frontEnd{made: map[string]func() ([]byte, error){}} })

// script bundles the modules of an entry. define must depend only on the entry. The bytes are shared.
func (f *frontEnd) script(entry string, define map[string]string) ([]byte, error) {
	return f.once(entry, func() ([]byte, error) {
		return jsbuild.Script{Source: theme.FS(), Entry: entry, Define: define}.Bundle()
	})
}

// sheet joins style sheets in their order. The bytes are shared.
func (f *frontEnd) sheet(files []string) ([]byte, error) {
	return f.once(strings.Join(files, " "), func() ([]byte, error) {
		var text []byte
		for _, file := range files {
			data, err := fs.ReadFile(theme.FS(), file)
			if err != nil {
				return nil, fmt.Errorf("read theme: %w", err)
			}
			text = append(text, data...)
		}
		return jsbuild.MinifyStyle(text)
	})
}

func (f *frontEnd) once(key string, run func() ([]byte, error)) ([]byte, error) {
	f.mu.Lock()
	one, ok := f.made[key]
	if !ok {
		one = sync.OnceValues(run)
		f.made[key] = one
	}
	f.mu.Unlock()
	return one()
}

// part is a file of the front end that only some pages need.
func (f *frontEnd) part(name string, data func() ([]byte, error)) func() (asset.Part, error) {
	return sync.OnceValues(func() (asset.Part, error) {
		out, err := data()
		return asset.NewPart(path.Join(asset.Folder, name), out), err
	})
}
