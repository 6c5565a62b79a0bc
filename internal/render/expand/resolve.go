package expand

import (
	"io/fs"
	"slices"
	"sync"

	"github.com/lectern-docs/lectern/internal/mdx/expr"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
)

// maxDepth limits the nesting of snippets, and the length of chains of re-exported names.
const maxDepth = 20

// modules holds the .mdx files of a docs folder that pages import. It is safe for concurrent use.
type modules struct {
	src       fs.FS             // the docs folder
	variables map[string]string // {{name}} in sources
	platform  func(string) bool // reports whether the platform has a component; nil means that it has none

	mu     sync.Mutex
	loaded map[string]*loading // by path, guarded by mu
}

// loading is a module that the first caller reads. Later callers use the result.
type loading struct {
	once sync.Once
	m    *module
}

// open returns the module of an .mdx file of the folder. Its file is nil if the file does not exist.
func (ms *modules) open(name string) *module {
	ms.mu.Lock()
	l := ms.loaded[name]
	if l == nil {
		l = &loading{}
		ms.loaded[name] = l
	}
	ms.mu.Unlock()
	l.once.Do(func() { l.m = ms.parseFile(name) })
	return l.m
}

// statements returns the imports and exports of an .mdx file that code imports.
func (ms *modules) statements(file string) ([]jsbuild.Piece, error) {
	m := ms.open(file)
	if m.file == nil {
		return nil, fs.ErrNotExist
	}
	return m.statements(), nil
}

// resolve follows re-exported names to their definition.
func (ms *modules) resolve(d definition) definition {
	for range maxDepth {
		if d.kind != reexport {
			return d
		}
		next, ok := ms.open(d.file).names.defined[d.export]
		if !ok {
			break
		}
		d = next
	}
	return definition{kind: missing}
}

// isScript reports whether a name of a module is code.
func (ms *modules) isScript(m *module, name string) bool {
	d, ok := m.names.defined[name]
	return ok && ms.resolve(d).kind == script
}

// isScriptTag reports whether the name of a tag in a module is code.
func (ms *modules) isScriptTag(m *module, name string) bool {
	d, ok := m.names.tag(name)
	return ok && ms.resolve(d).kind == script
}

// usesScript reports whether an expression in a module uses a name or a tag that is code.
func (ms *modules) usesScript(m *module, x *expr.Expr) bool {
	return len(m.names.defined) > 0 &&
		(slices.ContainsFunc(x.Names(), func(name string) bool { return ms.isScript(m, name) }) ||
			slices.ContainsFunc(x.Tags(), func(tag string) bool { return ms.isScriptTag(m, tag) }))
}

// draws reports whether the platform has a component with this name.
func (ms *modules) draws(name string) bool { return ms.platform != nil && ms.platform(name) }
