package stylesheet

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/render/contract"
)

// ownParts is what a selector such as [class*="navbar"] must leave out: elements inside of the theme's parts, whose
// classes hold that text too. In the markup that the rule was written against they have no such name, and a border that
// was meant for the bar would be drawn around each of its parts. An element that has a name for authors, or that of a
// whole part, is selected as before. "" when there is nothing to leave out. It does not add to the specificity.
func ownParts(word string) string {
	var inner, whole []string
	for _, name := range themeParts {
		if strings.Contains(name, word) {
			inner = append(inner, "."+name)
		}
	}
	if len(inner) == 0 {
		return ""
	}
	for _, name := range slices.Concat(contract.Classes, themeWholes) {
		if strings.Contains(name, word) || strings.Contains(word, name) {
			whole = append(whole, "."+name)
		}
	}
	out := ":not(:where(" + strings.Join(inner, ",")
	if len(whole) > 0 {
		out = ":not(:where(:is(" + strings.Join(inner, ",") + "):not(" + strings.Join(whole, ",") + ")"
	}
	return out + "))"
}

// wordOfClass is the text in [class*="text"], [class^="text"] and [class$="text"], whose bracket is all[i], and the end
// of the selector; ok when it is one of these.
func (t *translator) wordOfClass(all []token, i int) (word string, end int, ok bool) {
	const length = 6 // [ class * = text ]
	if i+length > len(all) || all[i+1].value != "class" || all[i+1].kind != name {
		return "", 0, false
	}
	operator, equals, last := byteOf(t.src, all[i+2]), byteOf(t.src, all[i+3]), byteOf(t.src, all[i+5])
	if !strings.ContainsRune("*^$", rune(operator)) || operator == 0 || equals != '=' || last != ']' {
		return "", 0, false
	}
	return all[i+4].value, all[i+5].end, all[i+4].value != "" && (all[i+4].kind == text || all[i+4].kind == name)
}

// themeParts are the theme's classes that have a hyphen and are none of the contract's, sorted: parts of something, or
// forms of it. A test compares them with the theme.
var themeParts = []string{
	"accordion-body", "accordion-head", "accordion-icon", "accordion-note", "accordion-title", "anchor-icon",
	"api-bar", "api-enum", "api-facts", "api-media", "api-method", "api-notice", "api-option", "api-option-body",
	"api-option-name", "api-options", "api-or", "api-param", "api-part", "api-response", "api-response-body",
	"api-server", "api-servers", "api-status", "api-summary", "api-url", "ask-about", "ask-about-text",
	"ask-answer", "ask-bar", "ask-box", "ask-bubble", "ask-button", "ask-care", "ask-chat", "ask-cite", "ask-code",
	"ask-comment", "ask-context", "ask-copy", "ask-error", "ask-field", "ask-foot", "ask-form", "ask-head",
	"ask-hello", "ask-icon", "ask-label", "ask-line", "ask-list", "ask-message", "ask-note", "ask-number",
	"ask-page", "ask-panel", "ask-plain", "ask-row", "ask-said", "ask-scroll", "ask-send", "ask-small",
	"ask-sources", "ask-starter", "ask-starters", "ask-table", "ask-thanks", "ask-wait", "ask-welcome",
	"ask-window", "badge-blue", "badge-disabled", "badge-green", "badge-icon", "badge-lg", "badge-orange",
	"badge-pill", "badge-purple", "badge-red", "badge-sm", "badge-stroke", "badge-surface",
	"badge-surface-destructive", "badge-white", "badge-white-destructive", "badge-xs", "badge-yellow",
	"callout-body", "callout-check", "callout-danger", "callout-icon", "callout-info", "callout-note",
	"callout-tip", "callout-title", "callout-warning", "card-arrow", "card-body", "card-cta", "card-disabled",
	"card-horizontal", "card-icon", "card-img", "card-link", "card-linked", "card-main", "card-text", "card-title",
	"code-close", "code-diff", "code-focused", "code-head", "code-icon", "code-long", "code-more", "code-numbered",
	"code-open", "code-wrap", "codegroup-beside", "codegroup-dropdown", "codegroup-pick", "codegroup-single",
	"column-center", "column-end", "drawer-where", "expandable-body", "expandable-hide", "expandable-show", "expandable-title",
	"feedback-dialog", "feedback-row", "feedback-send", "field-body", "field-default", "field-deprecated",
	"field-head", "field-label", "field-mark", "field-name", "field-note", "field-old", "field-required",
	"field-type", "footer-columns", "footer-row", "frame-hint", "frame-stage", "icon-button", "katex-display",
	"line-add", "line-error", "line-focus", "line-icon", "line-mark", "line-remove", "line-warning", "lost-near",
	"lost-search", "lost-ways", "math-error", "mermaid-drawing", "mermaid-error", "mermaid-zoom", "nav-icon",
	"navbar-end", "navbar-links", "navbar-row", "navbar-start", "not-prose", "only-dark", "only-light",
	"outline-toggle", "page-copy", "page-head", "page-menu", "palette-compact", "palette-item", "palette-items",
	"palette-name", "palette-row", "palette-swatch", "palette-table", "palette-text", "palette-title",
	"palette-value", "pick-at", "pick-list", "prompt-action", "prompt-actions", "prompt-body", "prompt-head",
	"prompt-icon", "prompt-note", "prompt-text", "repo-flat", "repo-mark", "repo-name", "repo-owner",
	"search-advice", "search-body", "search-button", "search-clear", "search-close", "search-crumbs", "search-foot",
	"search-go", "search-group", "search-head", "search-icon", "search-kbd", "search-note", "search-query",
	"search-section", "search-snippet", "search-text", "search-title", "shell-single", "shell-wide",
	"sidebar-links", "sidebar-switches", "sidebar-tabs", "sidebar-tree", "site-banner", "site-banner-text",
	"split-body", "step-body", "step-icon", "step-main", "step-mark", "step-note", "step-title", "strip-body",
	"strip-own", "strip-title", "table-scroll", "tabset-bar", "tabset-body", "tabset-icon", "tabset-panel",
	"tabset-ruled", "tabset-title", "tile-stage", "tile-text", "title-row", "tooltip-bubble", "tooltip-cta",
	"tooltip-head", "tooltip-tip", "tooltip-word", "tree-icon", "tree-mark", "tree-name", "tree-note", "tree-row",
	"try-actions", "try-add", "try-address", "try-answer", "try-answer-body", "try-bar", "try-busy", "try-button",
	"try-check", "try-code", "try-columns", "try-empty", "try-event", "try-events", "try-facts", "try-failed",
	"try-field", "try-fields", "try-file", "try-form", "try-group", "try-head", "try-heads", "try-hint",
	"try-history", "try-icon", "try-input", "try-json", "try-json-more", "try-json-parts", "try-limits", "try-line",
	"try-link", "try-list", "try-main", "try-more", "try-name", "try-need", "try-note", "try-null", "try-old",
	"try-open", "try-pair", "try-past", "try-past-url", "try-picture", "try-pre", "try-problem", "try-raw",
	"try-relay", "try-request", "try-row", "try-rows", "try-scopes", "try-secret", "try-section", "try-send",
	"try-server", "try-side", "try-status", "try-stop", "try-tab", "try-tabs", "try-tools", "try-top", "try-tree",
	"try-type", "try-unseen", "try-url", "try-warn", "try-wrong", "update-body", "update-label", "update-note",
	"update-side", "update-tags", "view-bar", "view-body", "view-icon", "view-title", "zoom-close",
}

// themeWholes are the theme's other classes, sorted: those of whole parts of the page. One or two letters are kinds of
// words in code.
var themeWholes = []string{
	"accordion", "anchor", "anchors", "api", "backdrop", "badge", "bars", "beside", "branch", "brand", "button",
	"callout", "card", "closed", "code", "codegroup", "column", "columns", "content", "contribute", "copy", "cross",
	"crumbs", "done", "drawer", "expandable", "eyebrow", "face", "feedback", "field", "flow", "footer", "footnotes",
	"frame", "group", "hidden", "icon", "idle", "lead", "line", "listing", "main", "menu", "mermaid", "method",
	"moon", "more", "moved", "navbar", "next", "old", "outline", "paging", "panel", "pick", "prev", "prompt",
	"related", "repo", "report", "said", "scheme", "search", "shell", "side", "sidebar", "skip", "split", "step",
	"steps", "strip", "sun", "switch", "tabset", "tag", "tile", "tooltip", "tree", "try", "unseen", "update",
	"updated", "view", "zoom",
}
