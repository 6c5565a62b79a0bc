// Package blob is the contract for stored artefacts: bytes under a key, and
// signed links that let a stranger read one of them for a while.
//
// The drivers live below it (blob/disk, blob/s3) and all pass the suite in
// blob/blobtest.
//
// In: keys, byte streams, lifetimes.
// Out: byte streams, listings, links with the moment at which they die.
// Never: what the bytes mean, who may read them, or the shape of an error on
// the wire.
package blob
