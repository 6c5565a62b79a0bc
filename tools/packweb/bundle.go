package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// mermaid packs Mermaid as one classic script that sets globalThis.mermaid, because a page opened from disk may not
// load modules.
func (p *packing) mermaid() error {
	options := p.minified(`import mermaid from "mermaid"; mermaid.startOnLoad = false; globalThis.mermaid = mermaid;`)
	options.Plugins = []api.Plugin{p.withoutElk()}
	return p.bundle("mermaid.js", options)
}

// withoutElk uses dagre for diagrams that request ELK, because elkjs is 1.6 MB and has a licence (EPL) that we do not
// ship. It also makes Mermaid use our KaTeX instead of a second copy.
func (p *packing) withoutElk() api.Plugin {
	return api.Plugin{Name: "without-elk", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: `/elk-[A-Z0-9]+\.mjs$`},
			func(a api.OnResolveArgs) (api.OnResolveResult, error) {
				found, err := filepath.Glob(filepath.Join(a.ResolveDir, "dagre-*.mjs"))
				if err != nil || len(found) != 1 {
					return api.OnResolveResult{},
						fmt.Errorf("find mermaid's dagre layout: %d files, error %v", len(found), err)
				}
				return api.OnResolveResult{Path: found[0]}, nil
			})
		build.OnResolve(api.OnResolveOptions{Filter: `^elkjs`}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{}, errors.New("mermaid imports ELK in a new way: see withoutElk")
		})
		build.OnResolve(api.OnResolveOptions{Filter: `^katex$`}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: filepath.Join(p.modules, "katex/dist/katex.mjs")}, nil
		})
	}}
}

// island packs the browser part of interactive components, with Preact.
func (p *packing) island() error {
	options := p.minified("")
	options.Stdin, options.EntryPoints = nil, []string{filepath.Join(p.root, "web/island/src/browser/index.ts")}
	// as in web/tsconfig.json, whose paths point to type declarations
	options.TsconfigRaw = `{"compilerOptions": {"strict": true}}`
	return p.bundle("island.js", options)
}

// prelude bundles the server-side runtime of author components into prelude.js, a JavaScript expression that
// evaluates to {start, define, call}. It does not minify identifiers, because authors can see function names.
func (p *packing) prelude() error {
	return p.bundle("prelude.js", api.BuildOptions{
		EntryPoints: []string{filepath.Join(p.root, "web/island/src/server/call.ts")},
		Format:      api.FormatCommonJS, Platform: api.PlatformNeutral, Target: api.ESNext, MinifyWhitespace: true,
		TsconfigRaw: "{}", // otherwise the bundler searches for a file
		Banner:      map[string]string{"js": "(function(){'use strict';var module={};"},
		Footer:      map[string]string{"js": "return module.exports})()"},
	})
}

// minified returns the options to build a classic script from a module.
func (p *packing) minified(module string) api.BuildOptions {
	return api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: module, ResolveDir: p.root},
		Format: api.FormatIIFE, Platform: api.PlatformBrowser, Target: api.ES2020,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
	}
}

// bundle bundles an entry with its imports into one script, stores it and records the packages in it.
func (p *packing) bundle(name string, options api.BuildOptions) error {
	options.Bundle, options.Metafile = true, true
	options.AbsWorkingDir, options.NodePaths, options.Outfile = p.root, []string{p.modules}, filepath.Join(p.root, name)
	options.Charset, options.LegalComments = api.CharsetUTF8, api.LegalCommentsEndOfFile
	options.Define = map[string]string{"process.env.NODE_ENV": `"production"`}
	options.LogLevel = api.LogLevelError
	result := api.Build(options)
	if len(result.Errors) > 0 {
		return fmt.Errorf("bundle %s: %s", name, result.Errors[0].Text)
	}
	if len(result.OutputFiles) != 1 {
		return fmt.Errorf("bundle %s: %d files, want 1", name, len(result.OutputFiles))
	}
	if err := p.note(result.Metafile); err != nil {
		return fmt.Errorf("bundle %s: %w", name, err)
	}
	return p.add(name, result.OutputFiles[0].Contents)
}

// note records the packages whose code is in a bundle. Files whose code was removed completely do not count.
func (p *packing) note(metafile string) error {
	var meta struct {
		Outputs map[string]struct {
			Inputs map[string]struct {
				BytesInOutput int `json:"bytesInOutput"`
			} `json:"inputs"`
		} `json:"outputs"`
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return fmt.Errorf("read bundle's parts: %w", err)
	}
	for _, out := range meta.Outputs {
		for file, part := range out.Inputs {
			if part.BytesInOutput == 0 || !strings.Contains(file, "node_modules/") {
				continue
			}
			if pkg := packageOf(p.modules, filepath.Join(p.root, file)); pkg != "" {
				p.used[pkg] = true
			}
		}
	}
	return nil
}
