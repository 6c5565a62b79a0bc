// Package disk stores blobs as files in one folder and serves signed links to them itself. It is the default driver of
// package blob and needs no server.
//
// Inputs: a folder, a link signer, the public base URL. Outputs: a blob.Store, and an http.Handler for the paths under
// /blob/. It never touches a file outside the folder (os.Root confines every access). It does not define the format of
// error responses; the caller passes a function that writes them.
package disk
