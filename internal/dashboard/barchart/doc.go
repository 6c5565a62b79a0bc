// Package barchart draws counts by day as stacked bars, in SVG.
//
// Inputs: days, and the counts of each day.
// Outputs: one drawing that fills its container, with colours by class name and a tooltip for each day.
// The chart must never be the only way to read the numbers: the page around it has them as a table too.
package barchart
