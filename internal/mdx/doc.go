// Package mdx reads a page: Markdown with tags, expressions and modules, into a tree with places.
//
// The dialect is MDX 3 with GFM and formulas:
//
//	document  = { block }
//	block     = container | leaf | flow
//	container = quote | list item | footnote definition      ; told by a prefix on each line
//	leaf      = heading | fence | $$ fence | rule | table | link definition | paragraph
//	flow      = line { tag | "{" js "}" } line end | import or export at the start of a line outside of containers
//	inline    = text | code | $formula$ | tag | "{" js "}" | emphasis | strike | link | image | footnote reference | bare address
//
// There is no code by indentation, no HTML and no <address>: "<" always begins a tag. Lines are read once, blocks first; then the text of
// each leaf. Tags are matched last, each with its partner in the same block or the same emphasis. All of it takes time in proportion to
// the input; what would have to be read again, such as an open brace that never closes, draws on a budget.
//
// In: the bytes behind the front matter.
// Out: an ast.Root, always, and findings. What strict MDX refuses but a reader can guess is a warning, the rest an error.
// Never: evaluates, knows a component, stops at the first error.
package mdx
