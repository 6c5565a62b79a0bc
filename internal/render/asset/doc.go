// Package asset creates the files that pages load: the theme's scripts and styles, the site's colours, and copies of
// images.
//
// Inputs: the embedded theme, the site's colours, the docs folder. Outputs: files whose names contain a digest of their
// content, and the paths that pages use for them. It never runs or includes authors' scripts, and never writes a colour
// that was not validated.
package asset
