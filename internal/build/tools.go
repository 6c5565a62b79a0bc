package build

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sync"

	"github.com/lectern-docs/lectern/internal/build/ogimage"
	"github.com/lectern-docs/lectern/internal/render/apisample"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/render/highlight"
	"github.com/lectern-docs/lectern/internal/render/icon"
	"github.com/lectern-docs/lectern/internal/render/tex"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/web/npm"
	"github.com/lectern-docs/lectern/web/theme"
)

// Tools holds the parts of a build that are expensive to create: icons, formulas, highlighting. They cache their
// results, hold no data of a site, and can be used by any number of concurrent builds. A process that builds often
// creates them once.
type Tools struct {
	packs fs.FS
	icons *icon.Library
	math  *tex.Typesetter
	code  *highlight.Highlighter

	formulas func() (asset.Part, error)
	diagrams func() (asset.Part, error)
	islands  func() (asset.Part, error)

	playStyle  func(*frontEnd) (asset.Part, error)
	playScript func(*frontEnd) (asset.Part, error)
	cards      func() (*ogimage.Faces, error)
	pixels     *pixelLimit // for images that are scaled down
	copies     copyLimit
}

// codeMemory limits the cache of highlighted code, in bytes.
const codeMemory = 8 << 20

// NewTools creates the tools. Most of them are initialized on first use. Close them after the last build.
func NewTools() (*Tools, error) {
	t := &Tools{packs: npm.FS()}
	return t, t.reset()
}

// Forget drops everything that builds have loaded and cached, which is most of the memory of an idle server. The
// next build loads what it needs again. No build may use the tools at the same time.
func (t *Tools) Forget() error { return errors.Join(t.Close(), t.reset()) }

// reset resets the tools to their initial state.
func (t *Tools) reset() error {
	icons, err := icon.Open(t.packs)
	if err != nil {
		return fmt.Errorf("open icons: %w", err)
	}
	t.icons, t.math, t.code = icons, tex.New(t.packs), highlight.New(codeMemory)
	t.formulas = sync.OnceValues(t.formulaFiles)
	t.diagrams = t.script("mermaid.js")
	t.islands = t.script("island.js")
	t.cards = sync.OnceValues(func() (*ogimage.Faces, error) { return ogimage.Load(t.packs) })
	t.pixels, t.copies = newPixelLimit(), maxCopies
	t.playStyle = frontPart("playground.css",
		func(f *frontEnd) ([]byte, error) { return f.sheet(theme.PlaygroundStyles()) })
	t.playScript = frontPart("playground.js",
		func(f *frontEnd) ([]byte, error) {
			return f.script(theme.Playground, func() (map[string]string, error) {
				rules, err := apisample.Rules(t.code)
				return map[string]string{"SAMPLE_RULES": string(rules)}, err
			})
		})
	return nil
}

// Close frees the resources of the tools.
func (t *Tools) Close() error { return t.math.Close() }

// formulaFiles returns the style sheet and fonts of pages with formulas.
func (t *Tools) formulaFiles() (part asset.Part, err error) {
	files, err := tex.Files(t.packs)
	if err != nil {
		return part, err
	}
	for i, f := range files {
		name := path.Join(asset.Folder, "katex", f.Name)
		if i == 0 {
			part = asset.NewPart(name, f.Data)
			continue
		}
		part.Files = append(part.Files,
			output.File{Path: name, ContentType: output.ContentType(name), Data: f.Data, Immutable: true})
	}
	return part, nil
}

// notices returns the licences of third-party parts of a site: icons, fonts, scripts.
func (t *Tools) notices() (output.File, error) {
	data, err := npm.Read(t.packs, "notices.txt")
	name := path.Join(asset.Folder, "notices.txt")
	return output.File{Path: name, ContentType: output.ContentType(name), Data: data}, err
}

// script returns a loader for one packed script.
func (t *Tools) script(name string) func() (asset.Part, error) {
	return sync.OnceValues(func() (asset.Part, error) {
		data, err := npm.Read(t.packs, name)
		if err != nil {
			return asset.Part{}, err
		}
		return asset.NewPart(path.Join(asset.Folder, name), data), nil
	})
}
