// Package publish turns a queued deployment into the site that readers see.
//
// In: a held task; the project and its source.
// Out: stored files, a manifest that names them, and the switch of the live pointer, last of all.
// Never: rendering (sitebuild does it) or answering readers (sitehost does).
//
// Contents are stored in packs below the project's own folder and found by their hash: an unchanged page is not
// stored again, what a manifest names never changes, and no path can reach another organization's files (C3).
package publish
