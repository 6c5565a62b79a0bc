// Package theme holds the front end of published sites: style sheets and scripts, as they stand in src.
//
// In: nothing.
// Out: the files, and the order in which they are joined.
// Never: knows a page or a site; needs a build step.
package theme
