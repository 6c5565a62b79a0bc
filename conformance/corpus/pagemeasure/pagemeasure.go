// Package pagemeasure measures, in a browser, what readers see of a page: the contrast of text, text cropped by boxes,
// content that overflows the window, and selectors in authors' style sheets that match nothing.
//
// Inputs: a page that is open in the caller's browser. Outputs: an expression to evaluate there, and the type of its
// value. Never: opens a page, or measures pictures or text inside SVG and formulas.
package pagemeasure

import (
	_ "embed"
	"fmt"
)

//go:embed measure.js
var script string

// Page is the value of the expression.
type Page struct {
	Selectors map[string]bool // selectors in the author's style sheets, and whether each matches an element
	Texts     int             // texts whose contrast could be measured
	Faint     []Faint         // texts below the limit
	Lost      []Lost
	Overflow  int      // CSS pixels by which the document is wider than the window
	Wide      []string // elements that cause this, at most three
}

// Faint is a text with low contrast to its background. Ratio is the WCAG 2 contrast ratio, from 1 to 21.
type Faint struct {
	Element, Text string
	Ratio         float64
}

// Lost is a text that does not fit into its box.
type Lost struct {
	Element, Text, Box string
	How                string  // "cropped": the box hides its end; "beside": it is painted beyond the box's border
	By                 float64 // CSS pixels
}

// Expression returns the JavaScript expression that measures the page in which it is evaluated. It lists texts with a
// contrast below limit.
func Expression(limit float64) string { return fmt.Sprintf("(%s\n)(%v)", script, limit) }
