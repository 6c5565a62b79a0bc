// Package asset makes the files around the pages: the theme's scripts and styles, the site's own colours, copies of images.
//
// In: the embedded theme, the site's colours, the docs folder.
// Out: files whose names hold a digest of their content, and the paths that pages use for them.
// Never: runs or includes scripts of authors; writes a colour that was not checked.
package asset
