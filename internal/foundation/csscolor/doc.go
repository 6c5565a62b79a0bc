// Package csscolor reckons with colours: reads them, mixes them, and moves them until text in them can be read.
//
// In: colours in hexadecimal notation, as site files have them.
// Out: colours of the same kind, and ratios as WCAG 2 defines them.
// Never: knows a page, a theme or a style sheet.
package csscolor
