// Package s3 stores blobs in a bucket on an S3-compatible server and signs presigned links. It is the driver for
// installations on more than one machine.
//
// Inputs: an endpoint, a bucket, credentials. Outputs: a blob.Store. It never creates or configures a bucket, and never
// proxies a download: links point to the server itself. Only this package imports the S3 client library.
package s3
