// Package exportjob turns a queued static export into bundles in the blob store.
//
// In: a held task; the export, its project and the source of what is published.
// Out: a tar.gz and a zip with the same files, their sizes and digests, and progress on the way.
// Never: rendering (sitebuild does it) or links to bundles (the API makes them).
package exportjob
