// Package disk keeps blobs as files in one folder and serves signed links to
// them itself. It is the embedded default of package blob.
//
// In: a folder, a link signer, the public base URL.
// Out: a blob.Store, and an http.Handler for the paths under /blob/.
// Never: a file outside the folder (os.Root confines every access), or the
// shape of an error answer (the wiring passes a writer for it).
package disk
