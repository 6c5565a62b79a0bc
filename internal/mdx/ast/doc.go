// Package ast defines the syntax tree of a page: Markdown, JSX and expressions, each node with its position in the
// source.
//
// Inputs: package mdx builds trees; package expand replaces the nodes that need evaluation. Outputs: node types, a tree
// walk, plain text. It never parses, evaluates or renders, and does not depend on components.
package ast
