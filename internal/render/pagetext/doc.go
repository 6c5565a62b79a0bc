// Package pagetext extracts the text of a rendered page, section by section, without what the platform adds around it.
//
// Inputs: HTML from package render.
// Outputs: sections, each with the id that links to it, its heading, its text and its code.
// Never: reads HTML from other sources: it relies on quoted attributes, as package render writes them.
package pagetext
