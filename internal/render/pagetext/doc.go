// Package pagetext extracts the text of a rendered page, section by section, without the parts that the platform
// adds around it.
//
// Inputs: HTML from package render. Outputs: sections, each with the id for links to it, its heading, its text and
// its code. It never reads HTML from other sources, because it relies on quoted attributes, as package render
// writes them.
package pagetext
