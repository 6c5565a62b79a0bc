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

// frontEnd bundles the theme's scripts and joins its style sheets. The results depend only on the program, so each is
// created once per process, when a build first needs it, and stored in the build cache for the next process.
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

// script bundles the modules of an entry. define returns values for names that the modules use; nil = none. They must
// depend only on the program. The bytes are shared.
func (f *frontEnd) script(entry string, define func() (map[string]string, error)) ([]byte, error) {
	return f.once(entry, func() (_ []byte, err error) {
		script := jsbuild.Script{Source: theme.FS(), Entry: entry}
		if define != nil {
			if script.Define, err = define(); err != nil {
				return nil, err
			}
		}
		return script.Bundle()
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

// frontPart returns a loader for a file that only some pages need. The front end passed to the first call creates the
// file.
func frontPart(name string, data func(*frontEnd) ([]byte, error)) func(*frontEnd) (asset.Part, error) {
	var once sync.Once
	var part asset.Part
	var err error
	return func(f *frontEnd) (asset.Part, error) {
		once.Do(func() {
			var text []byte
			text, err = data(f)
			part = asset.NewPart(path.Join(asset.Folder, name), text)
		})
		return part, err
	}
}
