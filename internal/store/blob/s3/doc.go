// Package s3 keeps blobs in a bucket of an S3-compatible server, with real
// presigned links. It is the driver for installations of more than one machine.
//
// In: an endpoint, a bucket, credentials.
// Out: a blob.Store.
// Never: making or configuring a bucket, or proxying a download: links lead to
// the server itself. The S3 client library is used in this package only.
package s3
