// Package stylesheet removes imports and fonts from hosts that are not allowed from an author's style sheet, and translates its
// selectors where our HTML has other names for what they mean.
//
// Inputs: the bytes of a sheet, the hosts that pages may use.
// Outputs: the same bytes without those parts, and a finding for each of them.
// Never: changes declarations, but for the names of variables; judges what a rule does; depends on a page.
package stylesheet
