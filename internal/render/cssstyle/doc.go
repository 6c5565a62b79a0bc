// Package cssstyle converts the style of an element, as authors write it in JSX or HTML, to the text of a style
// attribute.
//
// Inputs: an evaluated value: an object (camelCase names, numbers without a unit are pixels) or a string of
// declarations. Outputs: "name: value; name: value", safe inside a style attribute; the names that were refused. It
// does not depend on elements, classes or design tokens, and never lets a value run a script or end its own
// declaration.
package cssstyle
