package build

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/render/icon"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/web/theme"
)

// siteTheme is the front end of one site: the files that all its pages load, and the frame around them. newTheme
// creates it, and writeTheme writes the files. It does not change afterwards.
type siteTheme struct {
	files    []output.File
	frame    *layout.Frame
	names    []string  // files and addresses that all pages refer to
	findings diag.List // about the author's appearance settings
}

// newTheme bundles the theme's scripts and styles for a site.
func newTheme(s *site.Site, opt Options, addr *addresses, icons *icon.Set) (*siteTheme, error) {
	front := opt.frontEnd()
	bundle, err := newBundle(s, opt)
	if err != nil {
		return nil, err
	}
	a := layout.Assets{
		Style: bundle.Style, Site: bundle.Site, Boot: bundle.Boot, Script: bundle.Script, Fonts: bundle.Fonts,
		CodeFont: bundle.CodeFont,
		Styles:   s.Styles, Scripts: s.Scripts, Llms: "llms.txt", MCP: opt.MCP,
		Origin: strings.TrimRight(opt.BaseURL, "/"), Canonical: addr.Canonical,
	}
	if s.SEO.NoIndex {
		a.Llms = ""
	}
	if opt.View.Anonymous {
		a.SignIn = capability.SignInPath
	}
	if opt.Offers.Search {
		a.Search, a.Index = bundle.Search, searchindex.Folder+"/"+searchindex.EntryName
	}
	if a.Assistant, err = addAssistant(bundle, front, opt.Offers.Assistant); err != nil {
		return nil, err
	}
	counted := opt.Offers.Analytics
	counted.On = counted.On && !s.NoTelemetry
	if a.Count, err = addAnalytics(bundle, front, counted, addr.Path); err != nil {
		return nil, err
	}
	if opt.VersionName != "" {
		script, err := front.script(theme.Versions, nil)
		if err != nil {
			return nil, err
		}
		a.Versions = layout.Versions{Name: opt.VersionName, Script: bundle.Add("versions.js", script),
			List: capability.VersionsFile}
	}
	services, err := addIntegrations(bundle, s, opt.Offers.External)
	if err != nil {
		return nil, err
	}
	if services != "" {
		a.Scripts = slices.Concat([]string{services}, s.Scripts)
	}
	iconSheet := layout.NewIconSheet(s, icons)
	if sheet := iconSheet.Sheet(); len(sheet) > 0 {
		a.Icons = bundle.Add("icons.css", sheet)
	}
	return &siteTheme{
		files: bundle.Files, frame: layout.New(s, a, iconSheet), names: append(assetNames(&a), services), findings: bundle.Findings,
	}, nil
}

// assetNames lists the site's assets that every page refers to.
func assetNames(a *layout.Assets) []string {
	return slices.Concat([]string{
		a.Style, a.Site, a.Boot, a.Script, a.Icons, a.Search, a.Index, a.Assistant.Script, a.Assistant.Style,
		strconv.FormatBool(a.Assistant.Quotes), a.Count.Script, a.Count.Sheet, a.Llms, a.MCP, a.SignIn, a.Origin,
		a.Versions.Name, a.Versions.Script,
	}, a.Fonts, []string{a.CodeFont})
}

// newBundle creates the files that every page of the site shares.
func newBundle(s *site.Site, opt Options) (*asset.Bundle, error) {
	styles, script := theme.Styles(), theme.Script
	if opt.Offers.Assistant.On {
		styles, script = slices.Concat(styles, theme.AskStartStyles()), theme.ScriptWithAssistant
	}
	front, t := opt.frontEnd(), asset.Theme{Packs: opt.Tools.packs}
	for _, part := range []struct {
		to   *[]byte
		made func() ([]byte, error)
	}{
		{&t.Style, func() ([]byte, error) { return front.sheet(styles) }},
		{&t.Boot, func() ([]byte, error) { return front.script(theme.Boot, nil) }},
		{&t.Script, func() ([]byte, error) { return front.script(script, nil) }},
		{&t.Search, func() ([]byte, error) { return searchScript(front, opt.Offers) }},
	} {
		data, err := part.made()
		if err != nil {
			return nil, err
		}
		*part.to = data
	}
	return asset.NewBundle(t, s)
}

// hasIndex reports whether the site has a search index, for readers or for the assistant.
func hasIndex(o capability.Offers) bool { return o.Search || o.Assistant.On }

// searchScript returns the script of the search engine, or nil if searches do not run in the reader's browser.
func searchScript(front *frontEnd, o capability.Offers) ([]byte, error) {
	if !o.Search && !o.Assistant.InBrowser {
		return nil, nil
	}
	return front.script(theme.Search, nil)
}

// writeTheme writes the files of the theme, and the assistant's widget for other sites.
func writeTheme(ctx context.Context, w *siteWriter, t *siteTheme, opt Options) error {
	notices, err := opt.Tools.notices()
	if err != nil {
		return err
	}
	for _, f := range append(slices.Clip(t.files), notices) {
		if err := w.Put(ctx, f); err != nil {
			return err
		}
	}
	return writeWidget(ctx, w, opt.frontEnd(), opt.Offers.Assistant)
}
