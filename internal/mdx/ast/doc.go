// Package ast is the document tree of a page: Markdown, JSX and expressions, each node with its place in the source.
//
// In: the mdx room makes trees; the expand room replaces what has to be evaluated.
// Out: node types, a walk, plain text.
// Never: parses, evaluates, renders; knows a component.
package ast
