// Package component implements the MDX components: one file per component, with its props, checks and HTML.
//
// Inputs: an evaluated ast.Element and the Writer of its page. Outputs: HTML; findings about props. It never parses
// pages, evaluates expressions or resolves URLs (the Host does that), and writes no inline scripts or styles of its
// own.
//
// A component consists of a file here, a style sheet in web/theme/src/content and a case in conformance/component.
package component
