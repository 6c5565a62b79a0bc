// Package blob defines the interface for artefact storage: bytes stored under a key, and signed links that let anyone
// read one blob for a limited time.
//
// The drivers are blob/disk and blob/s3; both pass the suite in blob/blobtest.
//
// Inputs: keys, byte streams, lifetimes. Outputs: byte streams, listings, links with their expiry times. It does not
// define what the bytes mean, who may read them, or the format of error responses.
package blob
