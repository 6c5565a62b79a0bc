package theme

import (
	"embed"
	"io/fs"
	"slices"
)

//go:embed src
var files embed.FS

// FS returns the theme's folder; its paths start with "src/".
func FS() fs.FS { return files }

// Styles returns the style sheets in cascade order: layers come first, then tokens, then one folder per surface. In the
// folder content, sheets that others depend on come first, followed by all others by name.
func Styles() []string {
	all := []string{
		"src/layers.css", "src/tokens.css",
		"src/frame/base.css", "src/frame/banner.css", "src/frame/shell.css", "src/frame/page.css",
		"src/frame/footer.css",
		"src/nav/navbar.css", "src/nav/sidebar.css", "src/nav/drawer.css", "src/nav/outline.css", "src/visit/visit.css",
		"src/search/dialog.css", "src/search/result.css",
		"src/content/prose.css", "src/content/code.css", "src/content/table.css", "src/content/flow.css",
		"src/content/icon.css", "src/content/steps.css", "src/content/tabs.css", "src/content/field.css",
		"src/page/pick.css",
	}
	content, err := fs.Glob(files, "src/content/*.css") // sorted
	if err != nil {
		panic("theme: " + err.Error()) // the pattern is wrong
	}
	for _, name := range content {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return append(all, "src/frame/theme.css", "src/frame/print.css")
}

// The entry modules from which scripts are bundled. Each results in one classic script with all of its imports.
const (
	// Boot runs before the first paint.
	Boot = "src/frame/scheme.ts"
	// Script runs when the page has been parsed. Every page is readable without it.
	Script = "src/theme.ts"
	// ScriptWithAssistant is Script for a site with an assistant. It also shows the assistant's buttons, and loads the
	// rest when a reader opens it.
	ScriptWithAssistant = "src/theme-assistant.ts"
	// Search is the search engine for the reader's browser, loaded when first needed.
	Search = "src/search/search.ts"
	// Playground is the script of pages about operations that readers can call.
	Playground = "src/playground/playground.ts"
	// Analytics is the script that sends analytics events and readers' feedback.
	Analytics = "src/analytics/analytics.ts"
	// Assistant is the conversation with a reader, loaded when first needed.
	Assistant = "src/assistant/panel.ts"
	// Widget is the assistant on pages of other sites. It includes its styles: the bundler defines WIDGET_STYLE as a
	// string.
	Widget = "src/assistant/widget.ts"
	// Moved is the script of pages that redirect to another page.
	Moved = "src/frame/moved.ts"
	// Lost is the script of the page for unknown URLs. It is inline, because the location of a separate file would be
	// unknown.
	Lost = "src/frame/lost.ts"
	// Versions is the script of the menu of versions from branches and tags.
	Versions = "src/versions/versions.ts"
	// Nearest adds links to pages with similar URLs to that page.
	Nearest = "src/frame/nearest.ts"
)

// Integration returns the entry module that adds a third-party service to pages. The bundler defines the author's
// values in it.
func Integration(service string) string { return "src/integrations/" + service + ".ts" }

// PlaygroundStyles returns the style sheets of the playground.
func PlaygroundStyles() []string {
	return []string{"src/playground/panel.css", "src/playground/form.css", "src/playground/response.css"}
}

// AnalyticsStyles returns the style sheets of the feedback forms.
func AnalyticsStyles() []string { return []string{"src/analytics/feedback.css"} }

// AskStartStyles returns the style sheets of the assistant's buttons. They are also in Styles.
func AskStartStyles() []string { return []string{"src/assistant/start.css"} }

// AssistantStyles returns the style sheets of the conversation.
func AssistantStyles() []string {
	return []string{"src/assistant/panel.css", "src/assistant/chat.css", "src/assistant/message.css"}
}

// WidgetStyles returns the style sheets inside the widget.
func WidgetStyles() []string {
	return []string{"src/assistant/widget.css", "src/assistant/chat.css", "src/assistant/message.css"}
}
