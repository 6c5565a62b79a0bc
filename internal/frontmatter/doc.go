// Package frontmatter splits a page into its front matter and its body, and types the fields the platform knows.
//
// In: the bytes of a page.
// Out: Fields, the body with the line it starts on, and diagnostics with the page's own positions.
// Never: resolves YAML aliases (a few bytes of them can name gigabytes), renders, or reads files.
//
// Grammar: the page may start with a UTF-8 byte order mark; the first line is "---" alone; the front matter ends at the next
// line that is "---" alone. Without the first line the whole page is body.
package frontmatter
