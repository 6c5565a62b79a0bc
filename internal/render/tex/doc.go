// Package tex typesets TeX formulas as HTML for sighted readers, with MathML for screen readers.
//
// Inputs: TeX as authors write it between dollar signs; the packed typesetter (web/npm). Outputs: HTML, or an error
// with its position in the TeX; the style sheet and fonts that a page with formulas needs. It never runs in the
// browser. It never executes a TeX command that would load a resource, add a link or set an attribute.
package tex
