// Package component is the catalogue: one file per MDX component with its props, its checks and its HTML.
//
// In: an evaluated ast.Element and a Writer on the page it stands on.
// Out: HTML; findings about props.
// Never: parses pages, evaluates expressions, decides addresses (it asks the Host); writes inline scripts or styles of its own.
//
// A component is three things side by side: a file here, a style sheet in web/theme/src/content and a case in conformance/component.
package component
