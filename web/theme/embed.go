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
		"src/frame/print.css",
	}
}

// Boot are the scripts that run before the first paint.
func Boot() []string { return []string{"src/script/scheme.js"} }

// Scripts run when the page is there. Every page is readable without them.
func Scripts() []string {
	return []string{"src/script/toggle.js", "src/script/copy.js", "src/script/outline.js", "src/script/menu.js"}
}
