package theme

import (
	"embed"
	"io/fs"
	"slices"
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
		"src/nav/navbar.css", "src/nav/sidebar.css", "src/nav/drawer.css", "src/nav/outline.css", "src/visit/visit.css",
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

// Samples are the part of the playground that writes a request as code; it needs no browser.
func Samples() []string {
	return []string{
		"src/playground/json.js", "src/playground/samplequote.js", "src/playground/samplescript.js", "src/playground/samplecompiled.js", "src/playground/sample.js",
	}
}

// Playground is the script of pages about an operation that readers can call. The first files hold what the others use.
func Playground() []string {
	return slices.Concat([]string{"src/page/page.js", "src/page/say.js", "src/page/clipboard.js"}, Samples(), []string{
		"src/playground/style.js", "src/playground/pattern.js", "src/playground/schema.js", "src/playground/field.js", "src/playground/control.js", "src/playground/compound.js",
		"src/playground/body.js", "src/playground/transport.js", "src/playground/auth.js", "src/playground/oauth.js", "src/playground/call.js",
		"src/playground/jsonview.js", "src/playground/answer.js", "src/playground/history.js", "src/playground/requestview.js", "src/playground/panel.js",
		"src/playground/playground.js",
	})
}

// PlaygroundStyles are its style sheets.
func PlaygroundStyles() []string {
	return []string{"src/playground/panel.css", "src/playground/form.css", "src/playground/answer.css"}
}

// Analytics is the script that tells what readers do and what they say about pages.
func Analytics() []string {
	return []string{"src/page/page.js", "src/analytics/count.js", "src/analytics/feedback.js", "src/analytics/report.js"}
}

// AnalyticsStyles are the style sheets of what readers are asked.
func AnalyticsStyles() []string { return []string{"src/analytics/feedback.css"} }

// AskStart is what every page of a site with an assistant has of it: it shows the buttons, and loads the rest when a reader asks. It stands
// among Scripts.
func AskStart() []string { return []string{"src/assistant/start.js"} }

// AskStartStyles are the style sheets of those buttons; they stand among Styles.
func AskStartStyles() []string { return []string{"src/assistant/start.css"} }

// Assistant is the conversation with a reader, loaded when it is first needed.
func Assistant() []string {
	return append([]string{"src/page/page.js", "src/page/clipboard.js", "src/search/load.js"},
		"src/assistant/stream.js", "src/assistant/inline.js", "src/assistant/markdown.js", "src/assistant/server.js", "src/assistant/passage.js",
		"src/assistant/talk.js", "src/assistant/message.js", "src/assistant/chat.js", "src/assistant/panel.js")
}

// AssistantStyles are its style sheets.
func AssistantStyles() []string {
	return []string{"src/assistant/panel.css", "src/assistant/chat.css", "src/assistant/message.css"}
}

// Widget is the assistant on pages of other sites. Its styles are part of it: whoever joins the files puts them before, as a constant.
func Widget() []string {
	return append([]string{"src/page/page.js", "src/page/clipboard.js"},
		"src/assistant/stream.js", "src/assistant/inline.js", "src/assistant/markdown.js", "src/assistant/server.js",
		"src/assistant/talk.js", "src/assistant/message.js", "src/assistant/chat.js", "src/assistant/widget.js")
}

// WidgetStyles are the style sheets inside of the widget.
func WidgetStyles() []string {
	return []string{"src/assistant/widget.css", "src/assistant/chat.css", "src/assistant/message.css"}
}

// Boot are the scripts that run before the first paint.
func Boot() []string { return []string{"src/frame/scheme.js"} }

// Scripts run when the page is there. Every page is readable without them. They share one function, in this order: the first files hold
// what the others use; what looks at the document as the server sent it comes before what changes it.
func Scripts() []string {
	return []string{
		"src/page/page.js", "src/page/say.js", "src/page/clipboard.js",
		"src/visit/morph.js", "src/visit/swap.js", "src/visit/fetched.js",
		"src/frame/toggle.js", "src/frame/banner.js", "src/content/copy.js", "src/content/tabs.js", "src/content/code.js", "src/content/view.js",
		"src/content/reveal.js", "src/content/heading.js", "src/frame/twin.js", "src/content/tooltip.js", "src/content/table.js", "src/content/zoom.js", "src/content/drawing.js", "src/content/mermaid.js",
		"src/nav/outline.js", "src/nav/sidebar.js", "src/nav/menu.js", "src/nav/drawer.js",
		"src/search/load.js", "src/search/recent.js", "src/search/result.js", "src/search/dialog.js",
		"src/visit/visit.js", "src/visit/prefetch.js",
	}
}

// Moved is the script of pages that lead on to another.
func Moved() []string { return []string{"src/frame/moved.js"} }

// Lost is the script of the page for addresses that lead nowhere. It stands inside of the page: nobody knows where a file of its own
// would be.
func Lost() []string { return []string{"src/frame/lost.js"} }
