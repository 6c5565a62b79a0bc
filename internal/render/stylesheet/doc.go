// Package stylesheet removes imports and fonts from an author's style sheet if their hosts are not allowed. It also
// translates selectors where our HTML uses different names than the other product that package contract describes.
//
// Inputs: the bytes of a sheet, the hosts that pages may use. Outputs: the same bytes without the removed parts, and a
// finding for each of them. It never changes declarations except for the names of variables, and does not depend on
// pages or on the effect of a rule.
package stylesheet
