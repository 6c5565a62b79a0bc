// Package barchart draws counts by day as bars, in SVG.
//
// In: days, and for each of them how much of what there was.
// Out: one drawing as wide as its place, with colours by class name; what each day had is said on hover.
// Never: the only way to learn the numbers: the page around it has them as a table too.
package barchart
