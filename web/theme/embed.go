package theme

import (
	"embed"
	"io/fs"
)

//go:embed src
var files embed.FS

// FS is the theme's folder; its paths start with "src/".
func FS() fs.FS { return files }

// Styles are the style sheets in cascade order: layers come first, then tokens, then one folder per surface.
func Styles() []string {
	return []string{
		"src/layers.css", "src/tokens.css",
		"src/frame/base.css", "src/frame/shell.css", "src/frame/footer.css",
		"src/nav/navbar.css", "src/nav/sidebar.css", "src/nav/outline.css",
		"src/content/prose.css", "src/content/code.css", "src/content/table.css",
		"src/content/flow.css", "src/content/icon.css", "src/content/accordion.css", "src/content/badge.css", "src/content/banner.css",
		"src/content/callout.css", "src/content/card.css", "src/content/columns.css", "src/content/frame.css", "src/content/repo.css",
		"src/content/steps.css", "src/content/tabs.css", "src/content/tile.css", "src/content/tooltip.css",
		"src/content/codegroup.css", "src/content/color.css", "src/content/field.css", "src/content/api.css", "src/content/prompt.css", "src/content/tree.css",
		"src/content/update.css", "src/content/view.css", "src/content/math.css", "src/content/mermaid.css",
		"src/frame/print.css",
	}
}

// Boot are the scripts that run before the first paint.
func Boot() []string { return []string{"src/script/scheme.js"} }

// Scripts run when the page is there. Every page is readable without them.
func Scripts() []string {
	return []string{
		"src/script/toggle.js", "src/script/copy.js", "src/script/outline.js", "src/script/menu.js",
		"src/script/tabs.js", "src/script/reveal.js", "src/script/tooltip.js",
		"src/script/code.js", "src/script/view.js", "src/script/mermaid.js",
	}
}
