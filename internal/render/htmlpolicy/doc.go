// Package htmlpolicy says which HTML, SVG and MathML authors may put on a page, and how its attributes are spelt and kept harmless.
//
// Authors write tags by hand, return them from components, or hand over a string of HTML. All three become ast.Element nodes, and the
// renderer asks this room about each name and attribute; nothing it does not know reaches a page as markup. The lists are ours. The
// renderer escapes "<" in text and attribute values, so that no parser reads more elements out of a page than were asked about here,
// whatever mode (raw text, foreign content) it is in. StyleText keeps that true for the one element whose text is not escaped.
//
// In: names and values as React or HTML spell them; strings of HTML.
// Out: a Policy for an element, an Attribute for an attribute, trees for HTML.
// Never: writes markup, resolves an address (it says which values are addresses), knows a component.
package htmlpolicy
