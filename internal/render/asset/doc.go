// Package asset creates the files that pages load: the theme's scripts and styles, the site's colours, copies of
// images.
//
// Inputs: the embedded theme, the site's colours, the docs folder. Outputs: files whose names contain a digest of
// their content, and the paths that pages use for them. It never runs or includes scripts of authors, or writes a
// colour that was not validated.
package asset
