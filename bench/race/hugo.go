package race

import (
	"context"
	"path/filepath"
)

const hugoVersion = "v0.160.0"

// hugo uses the minimum layouts for a docs site: a sidebar with all sections and the pages of the current one, and an
// outline. The sidebar is rendered once per section. There is no search index.
func hugo() peer {
	return peer{
		name: "hugo", title: "Hugo 0.160, no search index",
		install: func(ctx context.Context, o Options) (string, error) {
			return goInstall(ctx, o, "github.com/gohugoio/hugo", hugoVersion)
		},
		content: "content",
		files: map[string]string{
			"hugo.toml": `baseURL = "https://docs.example.com/"
title = "Race"
disableKinds = ["taxonomy", "term", "RSS"]
[markup.highlight]
noClasses = false
`,
			"layouts/_default/baseof.html": `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{{ .Title }}</title>
<meta name="description" content="{{ .Description }}">
<link rel="canonical" href="{{ .Permalink }}">
</head>
<body>
<nav>{{ partialCached "sidebar.html" . .Section }}</nav>
<main><h1>{{ .Title }}</h1>
{{ block "main" . }}{{ end }}</main>
</body>
</html>
`,
			"layouts/_default/single.html": `{{ define "main" }}<article>{{ .Content }}</article><aside>{{ .TableOfContents }}</aside>{{ end }}`,
			"layouts/_default/list.html": `{{ define "main" }}<ul>{{ range .Pages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>
{{ end }}</ul>{{ end }}`,
			"layouts/partials/sidebar.html": `{{ $here := .Section }}<ul>{{ range .Site.Sections }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a>
{{ if eq .Section $here }}<ul>{{ range .RegularPages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>
{{ end }}</ul>{{ end }}</li>{{ end }}</ul>`,
		},
		made:    []string{"public", "resources", "cache"},
		out:     "public",
		command: func(installed string) []string { return []string{filepath.Join(installed, "hugo"), "--quiet"} },
	}
}
