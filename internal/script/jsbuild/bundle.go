package jsbuild

import (
	"maps"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// script selects the environment that code is compiled for.
type script int

const (
	engineScript script = iota
	browserScript
)

// run holds the state of one call of the bundler.
type run struct {
	b       *Builder
	src     Source
	entry   *text
	modules *modules
	// absent maps a file to the names that other files import from it although it does not export them.
	absent map[string][]string
}

// compile bundles a file, and adds the files that it looked for to asked. The first attempt nearly always succeeds. If
// it fails, compile replaces thunks that are not valid JavaScript and missing exports with code that throws when it is
// used, and tries again. A few attempts are enough, because each one repairs all problems of one kind.
func (b *Builder) compile(src Source, thunks []int, target script, asked map[string]bool) ([]byte, diag.List) {
	var list diag.List
	broken := map[int]string{}
	absent := map[string][]string{}
	var lent []string
	for range 5 {
		r := &run{b: b, src: src, entry: entry(src, thunks, broken, lent), absent: absent}
		r.modules = &modules{run: r, texts: map[string]*text{}, asked: asked}
		result := api.Build(r.options(target))
		if len(result.Errors) == 0 && len(result.OutputFiles) > 0 {
			if wanted := r.wanted(); len(wanted) > len(lent) {
				lent = wanted
				continue
			}
			list = append(list, r.report(result.Warnings, diag.Warning)...)
			list.Sort()
			return result.OutputFiles[0].Contents, slices.Compact(list)
		}
		missing := r.missingExports(result.Errors)
		bad := r.brokenThunks(result.Errors, thunks)
		if len(missing) == 0 && len(bad) == 0 {
			list = append(list, r.report(result.Errors, diag.Error)...)
			list.Sort()
			return nil, slices.Compact(list)
		}
		list = append(list, r.merge(missing, absent)...)
		for i, d := range bad {
			broken[i] = d.Message
			list = append(list, d)
		}
	}
	list.Errorf(diag.Pos{File: src.File, Line: 1, Column: 1}, "js-bundle",
		"The imports of this file cannot be bundled.")
	return nil, list
}

func (r *run) options(target script) api.BuildOptions {
	browser := target == browserScript
	o := api.BuildOptions{
		EntryPoints:       []string{entryName},
		Bundle:            true,
		Write:             false,
		Outfile:           "unit.js",
		LogLevel:          api.LogLevelSilent,
		LogLimit:          200,
		Format:            api.FormatIIFE,
		Platform:          api.PlatformNeutral,
		Target:            api.ES2022,
		JSX:               api.JSXTransform,
		JSXFactory:        "__lectern.h",
		JSXFragment:       "__lectern.Fragment",
		TsconfigRaw:       "{}", // otherwise the bundler searches the disk for one
		LegalComments:     api.LegalCommentsNone,
		Charset:           api.CharsetUTF8,
		KeepNames:         false,
		MinifyWhitespace:  browser,
		MinifyIdentifiers: browser,
		MinifySyntax:      browser,
		Define:            map[string]string{"process.env.NODE_ENV": `"production"`},
		Plugins:           []api.Plugin{r.modules.plugin()},
	}
	if browser {
		o.Target = api.ES2020
	} else {
		// If a with statement resolves a name, QuickJS miscompiles an optional call of that name, such as [done?.()].
		// It then refuses the whole unit with "inconsistent stack size".
		o.Supported = map[string]bool{"optional-chain": false}
	}
	return o
}

// noExport matches the bundler's message about an import that the imported file does not export.
var noExport = lazyregexp.New(`^No matching export in "(?:docs|mdx):([^"]+)" for import "([^"]+)"`)

// missingExports groups the messages about missing exports by file. It ignores JSON files.
func (r *run) missingExports(errs []api.Message) map[string][]api.Message {
	found := map[string][]api.Message{}
	for _, e := range errs {
		if m := noExport.FindStringSubmatch(e.Text); m != nil && !strings.HasSuffix(m[1], ".json") {
			found[m[1]] = append(found[m[1]], e)
		}
	}
	return found
}

// merge adds missing exports to absent, and warns about each.
func (r *run) merge(missing map[string][]api.Message, absent map[string][]string) diag.List {
	var list diag.List
	for _, file := range slices.Sorted(maps.Keys(missing)) {
		for _, e := range missing[file] {
			name := noExport.FindStringSubmatch(e.Text)[2]
			if !slices.Contains(absent[file], name) {
				absent[file] = append(absent[file], name)
			}
			list.Warnf(r.origin(e.Location).Pos, "js-export-missing", "%s does not export %s.", file, name)
			list.Hint("Nothing is shown in its place. Check the name.")
		}
	}
	return list
}

// brokenThunks finds all thunks that are not valid JavaScript. The bundler only reports the first one, so each thunk is
// compiled separately.
func (r *run) brokenThunks(errs []api.Message, thunks []int) map[int]diag.Diagnostic {
	stopped := false
	for _, e := range errs {
		if l := e.Location; l != nil && isEntry(l) {
			stopped = stopped || r.entry.origin(l.Line, l.Column, l.LineText).thunk >= 0
		}
	}
	if !stopped {
		return nil
	}
	bad := map[int]diag.Diagnostic{}
	for _, i := range thunks {
		alone := entry(Source{Thunks: r.src.Thunks}, []int{i}, nil, nil)
		got := api.Transform(alone.b.String(),
			api.TransformOptions{Loader: api.LoaderJSX, LogLevel: api.LogLevelSilent, TsconfigRaw: "{}"})
		if len(got.Errors) > 0 {
			l := got.Errors[0].Location
			bad[i] = finding(alone.origin(l.Line, l.Column, l.LineText), diag.Error, got.Errors[0])
		}
	}
	return bad
}
