package jsbuild

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
)

// Module namespaces: the page itself, files of the docs folder, MDX files, and modules that the runtime provides.
const (
	entryName    = "lectern-entry"
	entrySpace   = "entry"
	docsSpace    = "docs"
	mdxSpace     = "mdx"
	runtimeSpace = "runtime"
)

// runtimeModules maps packages that the runtime provides to the expressions that return them.
var runtimeModules = map[string]string{
	"react": "__lectern.React", "react-dom": "__lectern.React", "react-dom/client": "__lectern.React",
	"preact": "__lectern.React", "preact/hooks": "__lectern.React", "preact/compat": "__lectern.React",
	"react/jsx-runtime": "__lectern.React", "react/jsx-dev-runtime": "__lectern.React",
	"preact/jsx-runtime": "__lectern.React",
}

// modules resolves and loads what a bundle imports. The bundler calls it from many goroutines.
type modules struct {
	run *run

	mu    sync.Mutex
	count int
	texts map[string]*text // of MDX files
	code  []readFile       // of script files
	asked map[string]bool  // names of files that were tried when resolving imports
}

func (m *modules) ask(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked[name] = true
}

func (m *modules) text(name string) *text {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.texts[name]
}

func (m *modules) plugin() api.Plugin {
	return api.Plugin{Name: "docs", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, m.resolve)
		build.OnLoad(api.OnLoadOptions{Filter: ".*"}, m.load)
	}}
}

// resolve resolves every import itself, so that the bundler never searches the disk.
func (m *modules) resolve(a api.OnResolveArgs) (api.OnResolveResult, error) {
	if a.Kind == api.ResolveEntryPoint {
		return api.OnResolveResult{Path: entryName, Namespace: entrySpace}, nil
	}
	if expr, ok := runtimeModules[a.Path]; ok {
		return api.OnResolveResult{Path: a.Path, Namespace: runtimeSpace, PluginData: expr}, nil
	}
	from := m.run.src.File
	if a.Namespace != entrySpace {
		from = a.Importer
	}
	name, err := m.run.b.find(a.Path, path.Dir(from), m.ask)
	if err != nil {
		return m.unresolved(a.Path, err), nil
	}
	switch path.Ext(name) {
	case ".mdx", ".md":
		return api.OnResolveResult{Path: name, Namespace: mdxSpace}, nil
	case ".jsx", ".tsx", ".js", ".ts", ".mjs", ".json":
		return api.OnResolveResult{Path: name, Namespace: docsSpace}, nil
	case ".css":
		return api.OnResolveResult{Path: name, Namespace: runtimeSpace, PluginData: "{}"}, nil
	}
	return api.OnResolveResult{Path: name, Namespace: runtimeSpace, PluginData: quote("/" + name)}, nil
}

// unresolved substitutes a stand-in for a missing module, so that the rest of the page renders.
func (m *modules) unresolved(spec string, err error) api.OnResolveResult {
	msg := api.Message{Text: fmt.Sprintf("%q cannot be imported: %v.", spec, err)}
	result := api.OnResolveResult{Path: spec, Namespace: runtimeSpace,
		PluginData: "__lectern.missing(" + quote(spec) + ")"}
	switch {
	case errors.Is(err, errPackage):
		msg.Detail = advice{"js-import-package",
			"Use the built-in components, or copy the code into a file in the docs folder."}
		result.PluginData = "__lectern.unknown(" + quote(spec) + ")"
	case errors.Is(err, errOutside):
		msg.Detail = advice{"js-import-outside", "Move the file into the docs folder."}
	default:
		msg.Detail = advice{"js-import-missing",
			"Nothing is shown in its place. Check the path: it starts with / (the docs folder) or ./ (the folder of this file)."}
	}
	result.Warnings = []api.Message{msg}
	return result
}

func (m *modules) load(a api.OnLoadArgs) (api.OnLoadResult, error) {
	switch a.Namespace {
	case entrySpace:
		return contents(m.run.entry.b.String(), api.LoaderJSX), nil
	case runtimeSpace:
		expr, _ := a.PluginData.(string)
		return contents("module.exports="+expr, api.LoaderJS), nil
	}
	m.mu.Lock()
	m.count++
	over := m.count > maxFiles
	m.mu.Unlock()
	if over {
		return failed(fmt.Sprintf("The page imports more than %d files.", maxFiles), "js-too-many",
			"Import fewer files."), nil
	}
	if a.Namespace == mdxSpace {
		return m.loadMDX(a.Path), nil
	}
	src := m.run.b.read(a.Path)
	if err := src.err; err != nil {
		return failed(fmt.Sprintf("%s cannot be read: %v.", a.Path, err), "js-read",
			"Split the file, or move data into JSON files."), nil
	}
	if ext := path.Ext(a.Path); ext == ".json" {
		return contents(src.text, api.LoaderJSON), nil
	}
	m.mu.Lock()
	m.code = append(m.code, src)
	m.mu.Unlock()
	return contents(src.text+m.madeUp(a.Path), loaders[path.Ext(a.Path)]), nil
}

var loaders = map[string]api.Loader{".jsx": api.LoaderJSX, ".js": api.LoaderJSX, ".mjs": api.LoaderJSX,
	".ts": api.LoaderTS, ".tsx": api.LoaderTSX}

func (m *modules) loadMDX(name string) api.OnLoadResult {
	var pieces []Piece
	if m.run.b.esm != nil {
		var err error
		if pieces, err = m.run.b.esm(name); err != nil {
			return failed(fmt.Sprintf("%s cannot be read: %v.", name, err), "js-read", "Fix that file first.")
		}
	}
	t := mdxModule(name, pieces)
	m.mu.Lock()
	m.texts[name] = t
	m.mu.Unlock()
	return contents(t.b.String()+m.madeUp(name), api.LoaderJSX)
}

// madeUp returns code that defines the exports that other files import from the file name, but that the file lacks.
func (m *modules) madeUp(name string) string {
	var b strings.Builder
	for i, n := range m.run.absent[name] {
		fmt.Fprintf(&b, "\nlet __absent%d = __lectern.missing(%s).default; export { __absent%d as %s };", i,
			quote(name), i, n)
	}
	return b.String()
}

func contents(s string, l api.Loader) api.OnLoadResult {
	return api.OnLoadResult{Contents: &s, Loader: l}
}

func failed(msg, code, hint string) api.OnLoadResult {
	return api.OnLoadResult{Errors: []api.Message{{Text: msg, Detail: advice{code, hint}}}}
}
