// Package pagetext extracts the text of a rendered page, section by section, without the parts that the platform
// adds around it.
//
// Inputs: HTML from package render. Outputs: sections, each with its id, which links use, its heading, text and code.
// It never reads HTML from other sources, because it relies on attributes being quoted the way package render quotes
// them.
package pagetext
