// Package pagemeasure measures what readers see of a page, inside a browser: the contrast of texts, text cropped by
// boxes, content beyond the window, and selectors of authors' style sheets that match nothing.
//
// Inputs: a page that is open in the caller's browser. Outputs: an expression to evaluate there, and the type of its
// value. Never: opens a page; measures pictures, or text inside SVG and formulas.
package pagemeasure

import (
	_ "embed"
	"fmt"
)

//go:embed measure.js
var script string

// Page is the value of the expression.
type Page struct {
	Selectors map[string]bool // of the author's style sheets; whether each matches an element
	Texts     int             // texts whose contrast could be measured
	Faint     []Faint         // texts below the limit
	Lost      []Lost
	Overflow  int      // CSS pixels by which the document is wider than the window
	Wide      []string // elements that cause this, at most three
}

// Faint is a text whose contrast with its background is low: WCAG 2, from 1 to 21.
type Faint struct {
	Element, Text string
	Ratio         float64
}

// Lost is a text that is not completely inside its box.
type Lost struct {
	Element, Text, Box string
	How                string  // "cropped": the box hides its end; "beside": it is painted beyond the box's border
	By                 float64 // CSS pixels
}

// Expression measures the page that evaluates it. Texts with a contrast below limit are listed.
func Expression(limit float64) string { return fmt.Sprintf("(%s\n)(%v)", script, limit) }
