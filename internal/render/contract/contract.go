// Package contract lists the names in our HTML that authors' style sheets and scripts may use. The theme uses names of
// its own. The names here are written in addition, and do not change when the theme does. docs/reference/markup.mdx
// explains each name to authors, and a test compares the page, these lists and the HTML of a site.
//
// Some authors come from another product that uses the same format, and wrote their rules for its markup. The lists
// therefore contain the names which that product documents, and others that real sites use.
package contract

// IDs lists the ids of the frame around the content, sorted. If the page's own text uses one of these ids, the text
// keeps it, because links may point to it.
var IDs = []string{
	"api-playground-input", "assistant-entry", "background-color", "banner", "body-content", "chat-assistant-sheet",
	"chat-assistant-textarea", "code-snippet-feedback-textarea", "content", "content-area", "content-container",
	"content-side-layout", "feedback-form", "feedback-form-input", "feedback-form-submit", "feedback-thumbs-down",
	"feedback-thumbs-up", "footer", "header", "localization-select-content", "localization-select-trigger",
	"mobile-nav", "multi-view-dropdown", "navbar", "navigation-items", "page-context-menu",
	"page-context-menu-button", "page-title", "pagination", "panel", "request-example", "response-example",
	"search-bar-entry", "search-input", "sidebar", "sidebar-content", "sidebar-group", "table-of-contents",
	"table-of-contents-content", "table-of-contents-layout", "text-selection-tooltip-button", "topbar-cta-button",
	"topbar-links",
}

// Classes lists the classes of the frame and of components, sorted. The documentation of the other product uses them as
// element names, so a rule for the element "callout" is applied to the class too.
var Classes = []string{
	"accordion", "accordion-group", "advanced-footer", "api-section", "api-section-heading",
	"api-section-heading-title", "breadcrumb-item", "breadcrumb-list", "callout", "card", "card-group",
	"chat-assistant-disclaimer-text", "chat-assistant-input", "chat-assistant-payload-item",
	"chat-assistant-send-button", "chat-assistant-sheet", "chat-assistant-sheet-content",
	"chat-assistant-sheet-header", "code-block", "code-block-copy-button", "code-block-icon", "code-group",
	"code-snippet-feedback-form", "code-snippet-feedback-form-submit-button", "code-snippet-feedback-form-title",
	"code-snippet-feedback-popover-content", "code-snippet-feedback-textarea", "color", "color-item", "color-row",
	"columns", "directory", "directory-card", "directory-group", "directory-page", "expandable", "eyebrow",
	"feedback-toolbar", "field", "frame", "icon", "mdx-content", "mermaid", "method-nav-pill", "method-pill",
	"mobile-nav-tabs-item", "multi-view-dropdown", "multi-view-dropdown-item", "multi-view-item", "nav-anchor",
	"nav-anchors", "nav-dropdown-content", "nav-dropdown-item", "nav-dropdown-item-description",
	"nav-dropdown-item-icon", "nav-dropdown-item-text-container", "nav-dropdown-item-title",
	"nav-dropdown-products-selector-content", "nav-dropdown-products-selector-item",
	"nav-dropdown-products-selector-item-description", "nav-dropdown-products-selector-item-icon",
	"nav-dropdown-products-selector-item-title", "nav-dropdown-products-selector-trigger", "nav-dropdown-trigger",
	"nav-logo", "nav-tabs", "nav-tabs-item", "nav-tag-pill", "nav-tag-pill-text", "navbar-link",
	"not-found-container", "not-found-description", "not-found-recommended-page-link",
	"not-found-recommended-pages-list", "not-found-status-code", "not-found-title", "option-dropdown",
	"pagination-next", "pagination-prev", "pagination-title", "prompt", "prose", "shiki", "sidebar-group",
	"sidebar-group-header", "sidebar-group-icon", "sidebar-title", "starter-question-text", "step", "steps",
	"tab-icon", "tabs", "tile", "toc", "toc-item", "tooltip", "topbar-right-container", "tree", "tree-file",
	"tree-folder", "tryit-button", "update",
}

// Attributes lists attributes as selectors.
var Attributes = []string{
	`[data-badge][data-color="blue"]`, `[data-badge][data-size="sm"]`, `[data-callout-type="note"]`,
	`[data-component-name="mermaid-container"]`, `[data-component-name="mermaid-controls-wrapper"]`,
	`[data-component-name="theme-toggle"]`, `[data-component-part="accordion-content"]`,
	`[data-component-part="accordion-title"]`, `[data-component-part="callout-content"]`,
	`[data-component-part="card-content"]`, `[data-component-part="card-content-container"]`,
	`[data-component-part="card-cta"]`, `[data-component-part="card-image"]`, `[data-component-part="card-title"]`,
	`[data-component-part="code-block-header"]`, `[data-component-part="field-meta-post"]`,
	`[data-component-part="field-meta-pre"]`, `[data-component-part="frame-caption"]`,
	`[data-component-part="frame-content"]`, `[data-component-part="step-content"]`,
	`[data-component-part="step-number"]`, `[data-component-part="step-title"]`,
	`[data-component-part="tab-button"]`, `[data-component-part="tab-content"]`, `[data-component-part="tabs-list"]`,
	`[data-component-part="tooltip-content"]`, `[data-component-part="update-content"]`,
	`[data-component-part="update-description"]`, `[data-component-part="update-label"]`, `[data-table-wrapper="true"]`,
	`#content[data-page-href="/"]`, `#content[data-page-title]`, `#sidebar-content li[data-active]`,
	`.nav-dropdown-item[data-active]`, `.nav-tabs-item[data-active]`, `.mobile-nav-tabs-item[data-active]`,
	`.sidebar-group[data-active]`, `.toc-item[data-active]`, `.toc-item[data-active-deepest]`,
	`.toc-item[data-depth="0"]`, `html[data-current-path="/"]`,
}

// Variables lists the variables of the root element that authors' declarations may use. Colours are three numbers, red,
// green and blue, so that rgb(var(--primary) / 0.5) works.
var Variables = []string{
	"--primary", "--primary-light", "--primary-dark", "--background-light", "--background-dark",
	"--gray-50", "--gray-100", "--gray-200", "--gray-300", "--gray-400", "--gray-500", "--gray-600", "--gray-700",
	"--gray-800", "--gray-900", "--gray-950",
}
