// Package stylesheet removes the imports and fonts of hosts that are not allowed from an author's style sheet, and
// translates its selectors where our HTML has other names than the other product that package contract describes.
//
// Inputs: the bytes of a sheet, the hosts that pages may use. Outputs: the same bytes without those parts, and a
// finding for each of them. It never changes declarations except for the names of variables, and does not depend on
// pages or on the effect of a rule.
package stylesheet
