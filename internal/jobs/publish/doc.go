// Package publish turns a queued deployment into the site that readers see.
//
// Inputs: a leased task; the project and its source.
// Outputs: stored files, a manifest that names them, and, last of all, the switch of the live pointer.
// It never renders (build does) and never serves readers (sitehost does).
//
// Contents are stored in packs below the project's own folder and addressed by their hash: an unchanged page is not
// stored again, what a manifest names never changes, and no path can reach another organization's files (C3).
package publish
