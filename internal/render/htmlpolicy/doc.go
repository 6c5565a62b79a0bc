// Package htmlpolicy defines which HTML, SVG and MathML authors may use on a page, and how attributes are spelt and
// sanitized.
//
// Authors write tags by hand, return them from components, or pass a string of HTML. All three become ast.Element
// nodes, and the renderer checks each name and attribute here; unknown ones never reach a page as markup. The lists are
// our own. The renderer escapes "<" in text and attribute values, so that no parser finds more elements on a page than
// were checked here, whatever mode (raw text, foreign content) it is in. StyleText ensures the same for the one element
// whose text is not escaped.
//
// Inputs: names and values as React or HTML spell them; strings of HTML.
// Outputs: a Policy for an element, an Attribute for an attribute, trees for HTML.
// Never: writes markup, resolves an address (it reports which values are addresses), depends on a component.
package htmlpolicy
