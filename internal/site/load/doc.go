// Package load reads a docs folder into the site model.
//
// Inputs: an fs.FS whose root is the docs folder, from an untrusted author. Outputs: a *site.Site and diagnostics. A
// page that cannot be read does not affect other pages. It never follows symbolic links or renders pages, and does not
// keep page bodies in memory. The result does not depend on the order in which files are read.
package load
