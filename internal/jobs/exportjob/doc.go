// Package exportjob turns a queued static export into bundles in the blob store.
//
// Inputs: a leased task; the export, its project and the source of the published site. Outputs: a tar.gz and a zip
// with the same files, their sizes and digests, and progress while the export runs. It never renders (build does) and
// never creates links to bundles (the API does).
package exportjob
