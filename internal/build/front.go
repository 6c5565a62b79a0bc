package build

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/web/theme"
)

// frontEnd bundles the theme's scripts and joins its style sheets. They depend only on the program, so each is created
// once per process, when a build first needs it, and kept in the build cache for the next process.
type frontEnd struct {
	made    *madeFiles
	cache   Cache             // nil = nothing is cached
	program [sha256.Size]byte // Options.Program
}

// madeFiles are the files that this process has created or is creating.
type madeFiles struct {
	mu    sync.Mutex
	files map[string]func() ([]byte, error)
}

var sharedFiles = &madeFiles{files: map[string]func() ([]byte, error){}}

// frontEnd returns the front end for one build.
func (o Options) frontEnd() *frontEnd {
	return &frontEnd{made: sharedFiles, cache: o.Cache, program: o.Program}
}

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

func (f *frontEnd) once(name string, run func() ([]byte, error)) ([]byte, error) {
	f.made.mu.Lock()
	one, ok := f.made.files[name]
	if !ok {
		one = sync.OnceValues(func() ([]byte, error) { return f.loadOr(name, run) })
		f.made.files[name] = one
	}
	f.made.mu.Unlock()
	return one()
}

// loadOr returns a file from the cache, or creates and stores it.
func (f *frontEnd) loadOr(name string, run func() ([]byte, error)) ([]byte, error) {
	if f.cache == nil {
		return run()
	}
	key := fingerprint.Of("front", f.program, name)
	if data, ok := f.cache.Get(key); ok {
		return data, nil
	}
	data, err := run()
	if err == nil {
		f.cache.Put(key, data)
	}
	return data, err
}

// part is a file of the front end that only some pages need.
func (f *frontEnd) part(name string, data func() ([]byte, error)) func() (asset.Part, error) {
	return sync.OnceValues(func() (asset.Part, error) {
		out, err := data()
		return asset.NewPart(path.Join(asset.Folder, name), out), err
	})
}
