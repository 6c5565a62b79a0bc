// Package htmlpolicy defines which HTML, SVG and MathML authors may use on a page, and how attributes are spelled
// and sanitized.
//
// Authors write tags by hand, return them from components, or pass a string of HTML. All three become ast.Element
// nodes, and the renderer uses this package to check each name and attribute. It never writes unknown ones to a page as
// markup. The lists are our own. The renderer escapes "<" in text and attribute values. Therefore a parser in any mode
// (raw text, foreign content) finds only elements that were checked here. StyleText ensures the same for the one
// element whose text is not escaped.
//
// Inputs: names and values as React or HTML spell them; strings of HTML. Outputs: a Policy for an element, an
// Attribute for an attribute, trees for HTML. It never writes markup or resolves URLs (it reports which values are
// URLs), and does not depend on components.
package htmlpolicy
