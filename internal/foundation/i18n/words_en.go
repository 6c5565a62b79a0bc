package i18n

// fromEn holds the words of en.
var fromEn = map[string]Words{
	"en": {
		Spelling: "Check the spelling, or try other words.", Clear: "Clear",
		Recent: "Recent searches", SearchFailed: "The search could not be loaded.",
		Retry: "Try again", Selected: "Selected", LinkCopied: "Link copied",
		SignOut: "Sign out", SignIn: "Sign in",
		Name: "English", Search: "Search", SearchHint: "Search…", NoResults: "No results", Searching: "Searching…",
		Select: "Select",
		Open:   "Open", Close: "Close", Menu: "Menu", Contents: "On this page", Previous: "Previous", Next: "Next",
		Copy:   "Copy",
		Copied: "Copied", CopyFailed: "Could not copy", CopyPage: "Copy page", Skip: "Skip to content",
		NotFound:     "Page not found",
		NotFoundText: "This page does not exist. It may have moved.", Home: "Go to the first page",
		Updated: "Last updated",
		Related: "Related pages", More: "More pages", Earlier: "Earlier pages", Scheme: "Switch between light and dark",
		Language: "Language", Version: "Version", Sections: "Sections", Pages: "Pages", Site: "Site",
		Examples: "Examples",
		Options:  "More to do with this page", CopyText: "Copy this page as Markdown", View: "View as Markdown",
		ViewText: "See this page as plain text", OpenIn: "Open in %s", Ask: "Ask questions about this page",
		Prompt: "Read %s so that I can ask questions about it.", CopyMCP: "Copy MCP server address",
		CopyCommand: "Copy MCP install command", Connect: "Connect to %s", Download: "Download API description",
		Moved: "This page has moved to", Notice: "Notice",
	},
}
