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
		"src/frame/base.css", "src/frame/banner.css", "src/frame/shell.css", "src/frame/page.css", "src/frame/footer.css",
		"src/nav/navbar.css", "src/nav/sidebar.css", "src/nav/drawer.css", "src/nav/outline.css", "src/nav/visit.css",
		"src/search/dialog.css", "src/search/result.css",
		"src/content/prose.css", "src/content/code.css", "src/content/table.css",
		"src/content/flow.css", "src/content/icon.css", "src/content/accordion.css", "src/content/badge.css", "src/content/banner.css",
		"src/content/callout.css", "src/content/card.css", "src/content/columns.css", "src/content/frame.css", "src/content/repo.css",
		"src/content/steps.css", "src/content/tabs.css", "src/content/tile.css", "src/content/tooltip.css",
		"src/content/codegroup.css", "src/content/color.css", "src/content/field.css", "src/content/api.css", "src/content/prompt.css", "src/content/tree.css",
		"src/content/update.css", "src/content/view.css", "src/content/math.css", "src/content/mermaid.css", "src/content/zoom.css",
		"src/frame/theme.css", "src/frame/print.css",
	}
}

// Search is the engine that answers questions in the reader's browser; it is loaded when it is first needed.
func Search() []string {
	return []string{
		"src/search/token.js", "src/search/query.js", "src/search/match.js", "src/search/rank.js", "src/search/snippet.js", "src/search/engine.js",
	}
}

// Boot are the scripts that run before the first paint.
func Boot() []string { return []string{"src/script/scheme.js"} }

// Scripts run when the page is there. Every page is readable without them. They share one function, in this order: the first files hold
// what the others use; what looks at the document as the server sent it comes before what changes it.
func Scripts() []string {
	return []string{
		"src/script/page.js", "src/script/say.js", "src/script/clipboard.js",
		"src/script/morph.js", "src/script/swap.js", "src/script/fetched.js",
		"src/script/toggle.js", "src/script/banner.js", "src/script/copy.js", "src/script/tabs.js", "src/script/code.js", "src/script/view.js",
		"src/script/reveal.js", "src/script/heading.js", "src/script/twin.js", "src/script/tooltip.js", "src/script/table.js", "src/script/zoom.js", "src/script/drawing.js", "src/script/mermaid.js",
		"src/script/outline.js", "src/script/sidebar.js", "src/script/menu.js", "src/script/drawer.js",
		"src/script/engine.js", "src/script/recent.js", "src/script/result.js", "src/script/search.js",
		"src/script/visit.js", "src/script/prefetch.js",
	}
}

// Moved is the script of pages that lead on to another.
func Moved() []string { return []string{"src/script/moved.js"} }

// Lost is the script of the page for addresses that lead nowhere. It stands inside of the page: nobody knows where a file of its own
// would be.
func Lost() []string { return []string{"src/script/lost.js"} }
