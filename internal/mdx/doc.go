// Package mdx parses a page (Markdown with JSX tags, expressions and modules) into a tree with source positions.
//
// The dialect is MDX 3 with GFM and formulas:
//
//	document  = { block }
//	block     = container | leaf | flow
//	container = quote | list item | footnote definition      ; recognized by a prefix on each line
//	leaf      = heading | fence | $$ fence | rule | table | link definition | paragraph
//	flow      = line { tag | "{" js "}" } line end | import or export at the start of a line outside of containers
//	inline    = text | code | $formula$ | tag | "{" js "}" | emphasis | strike | link | image | footnote reference | bare address
//
// There is no indented code, no HTML and no <address> autolink: "<" always begins a tag. The parser reads lines once,
// blocks first, then the text of each leaf. It matches tags last; both tags of a pair must be in the same block or the
// same emphasis. Parsing takes linear time: a budget limits how much may be read again, for example because a brace is
// never closed.
//
// Inputs: the bytes after the front matter. Outputs: always an ast.Root, and findings. Input that strict MDX rejects
// results in a warning if its meaning is clear, and otherwise in an error. The package never evaluates code, does not
// depend on components, and does not stop at the first error.
package mdx
