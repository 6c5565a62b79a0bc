// Package csscolor parses and mixes colours, and adjusts them until text is readable on them.
//
// Inputs: colours in hexadecimal notation, as site files have them.
// Outputs: colours of the same kind, and contrast ratios as WCAG 2 defines them.
// It knows nothing about pages, themes or style sheets.
package csscolor
