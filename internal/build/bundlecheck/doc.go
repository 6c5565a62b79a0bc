// Package bundlecheck reads finished sites as their receivers get them, and proves that one can stand alone behind an air gap.
//
// In: an archive or a folder from whoever sent it; limits; what the receiver expects of it.
// Out: its files one by one, names and kinds checked; a report of everything that is wrong with them.
// Never: unpacks to a disk, holds more than a few pages at once, follows a link, asks the network, or believes what an entry says of itself.
package bundlecheck
