// Package load reads a docs folder into the site model.
//
// In: an fs.FS whose root is the docs folder, from an author we do not trust.
// Out: a *site.Site and diagnostics. A page that cannot be read fails alone.
// Never: follows symbolic links, keeps page bodies, renders, or depends on the order in which files are read.
package load
