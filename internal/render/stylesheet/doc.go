// Package stylesheet reads style sheets of authors and takes out what would make a page ask another host: imports and fonts from there.
//
// In: the bytes of a sheet.
// Out: the same bytes without those places, and a finding for each of them.
// Never: changes anything else; judges what a rule does; knows a page.
package stylesheet
