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
// blocks first, then the text of each leaf. It matches tags last, each with its partner in the same block or the same
// emphasis. Everything takes time in proportion to the input; whatever would have to be read again, such as an open
// brace that never closes, draws on a budget.
//
// Inputs: the bytes after the front matter.
// Outputs: always an ast.Root, and findings. What strict MDX refuses but a reader can guess is a warning, the rest an
// error.
// It never evaluates, knows a component, or stops at the first error.
package mdx
