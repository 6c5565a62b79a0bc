// Package cssstyle converts the style of an element, as authors write it in JSX or HTML, to the text of a style
// attribute.
//
// Inputs: an evaluated value: an object (camelCase names, bare numbers are pixels) or a string of declarations.
// Outputs: "name: value; name: value", safe inside a style attribute; the names that were refused.
// Never: depends on an element, a class or a design token; lets a value run a script or end its own declaration.
package cssstyle
