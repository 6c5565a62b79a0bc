package jsbuild

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// Script is one of the platform's own scripts: an ES module in TypeScript and its imports.
type Script struct {
	Source fs.FS
	Entry  string // path in Source
	// Text, if not "", replaces the content of the file Entry. Its imports are resolved relative to Entry.
	Text string
	// Define maps free names to the JavaScript values, written as JSON, that replace them.
	Define map[string]string
}

// Bundle joins the modules into one classic script, wrapped in a function, for the browsers that the theme supports.
// The output only depends on the modules.
func (s Script) Bundle() ([]byte, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{s.Entry}, Bundle: true, Write: false, Outfile: "script.js",
		Format: api.FormatIIFE, Platform: api.PlatformBrowser, Target: api.ESNext, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		TsconfigRaw: "{}", // otherwise the bundler searches the disk for one
		LogLevel:    api.LogLevelSilent, Define: s.Define, Plugins: []api.Plugin{s.plugin()},
	})
	if len(result.Errors) > 0 {
		return nil, fmt.Errorf("bundle %s: %s", s.Entry, located(result.Errors[0]))
	}
	if len(result.OutputFiles) != 1 {
		return nil, fmt.Errorf("bundle %s: %d files, want 1", s.Entry, len(result.OutputFiles))
	}
	return result.OutputFiles[0].Contents, nil
}

// plugin loads modules from Source only, never from the disk.
func (s Script) plugin() api.Plugin {
	const space = "script"
	return api.Plugin{Name: "script", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			if a.Kind == api.ResolveEntryPoint {
				return api.OnResolveResult{Path: s.Entry, Namespace: space}, nil
			}
			if !strings.HasPrefix(a.Path, "./") && !strings.HasPrefix(a.Path, "../") {
				return api.OnResolveResult{}, errors.New("only relative imports are possible")
			}
			return api.OnResolveResult{Path: path.Join(path.Dir(a.Importer), a.Path) + ".ts", Namespace: space}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: space},
			func(a api.OnLoadArgs) (api.OnLoadResult, error) {
				if a.Path == s.Entry && s.Text != "" {
					return api.OnLoadResult{Contents: &s.Text, Loader: api.LoaderTS}, nil
				}
				data, err := fs.ReadFile(s.Source, a.Path)
				if err != nil {
					return api.OnLoadResult{}, fmt.Errorf("read module: %w", err)
				}
				text := string(data)
				return api.OnLoadResult{Contents: &text, Loader: api.LoaderTS}, nil
			})
	}}
}

// located formats a message of the bundler with its file and line.
func located(m api.Message) string {
	if m.Location == nil {
		return m.Text
	}
	return fmt.Sprintf("%s:%d: %s", m.Location.File, m.Location.Line, m.Text)
}
