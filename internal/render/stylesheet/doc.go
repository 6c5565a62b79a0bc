// Package stylesheet removes imports and fonts from other hosts from an author's style sheet.
//
// Inputs: the bytes of a sheet.
// Outputs: the same bytes without those parts, and a finding for each of them.
// Never: changes anything else; judges what a rule does; depends on a page.
package stylesheet
