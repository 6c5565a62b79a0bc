// Package frontmatter splits a page into front matter and body, and decodes the fields that the platform uses.
//
// Inputs: the bytes of a page. Outputs: Fields, the body and the line it starts on, and diagnostics with positions
// in the page. It never renders or reads files.
//
// Grammar: the page may start with a UTF-8 byte order mark; the first line is "---" alone; the front matter ends at the
// next line that is "---" alone. If the first line is not "---", the whole page is body. The whole page is also body if
// there is no second fence and the line after the first is not "key: value". In that case, the dashes are a thematic
// break. Front matter after white space is not read, but reported.
package frontmatter
