// Package publish turns a queued deployment into the site that readers see.
//
// Inputs: a leased task; the project and its source. Outputs: stored files, a manifest that lists them, and, as the
// last step, the switch of the live pointer. It never renders (build does) and never serves readers (sitehost does).
//
// Contents are stored in packs below the project's own folder and addressed by hash: an unchanged page is not stored
// again, files that a manifest refers to never change, and no path can reach another organization's files (C3).
package publish
