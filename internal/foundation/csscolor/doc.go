// Package csscolor parses and mixes colours, and adjusts them so that text on them is readable.
//
// Inputs: colours in hexadecimal notation, as in site files. Outputs: colours in the same notation, and contrast
// ratios as WCAG 2 defines them. It is independent of pages, themes and style sheets.
package csscolor
