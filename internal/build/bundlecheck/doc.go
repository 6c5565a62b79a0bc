// Package bundlecheck verifies finished sites as their recipients receive them, and proves that a bundle is
// self-contained behind an air gap.
//
// Inputs: an archive or a folder from an untrusted sender; limits; the recipient's expectations. Outputs: its files
// one by one, with names and types checked; a report of all problems. It never unpacks to disk, holds more than a
// few pages at a time, follows a link, uses the network, or trusts the metadata of an entry.
package bundlecheck
