// Package frontmatter splits a page into its front matter and its body, and types the fields the platform knows.
//
// In: the bytes of a page.
// Out: Fields, the body with the line it starts on, and diagnostics with the page's own positions.
// Never: renders, or reads files.
//
// Grammar: the page may start with a UTF-8 byte order mark; the first line is "---" alone; the front matter ends at the next
// line that is "---" alone. Without the first line the whole page is body, and so it is when no second fence follows and the line after
// the first is no "key: value": then the dashes are a thematic break.
package frontmatter
