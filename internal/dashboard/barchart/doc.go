// Package barchart draws counts by day as stacked bars, in SVG.
//
// Inputs: days, and the counts of each day. Outputs: one drawing that fills its container, with colors by class name
// and a tooltip for each day. The chart must never be the only way to read the numbers: its page also contains them
// as a table.
package barchart
