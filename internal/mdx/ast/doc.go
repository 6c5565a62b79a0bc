// Package ast defines the syntax tree of a page: Markdown, JSX and expressions, each node with its position in the
// source.
//
// Inputs: package mdx builds trees; package expand replaces the nodes that have to be evaluated.
// Outputs: node types, a walk, plain text.
// It never parses, evaluates or renders, and it knows no component.
package ast
