// Package cssstyle turns the style of an element, as authors write it in JSX or HTML, into the text of a style attribute.
//
// In: an evaluated value: an object (camelCase names, bare numbers are pixels) or a string of declarations.
// Out: "name: value; name: value", safe to stand in a style attribute; the names that were refused.
// Never: knows an element, a class or a design token; lets a value reach a script or end its own declaration.
package cssstyle
