// Package tex typesets formulas: TeX in, HTML with MathML out, so that readers see them and screen readers speak them.
//
// In: TeX as authors write it between dollars; the packed typesetter (web/npm).
// Out: HTML, or what is wrong with the TeX and where; the style sheet and fonts that a page with formulas needs.
// Never: runs in the browser; follows a TeX command that would load, link or set an attribute.
package tex
