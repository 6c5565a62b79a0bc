// Package dist puts a release together.
//
// Inputs: a checkout at a commit, pinned Debian packages, the platforms, who builds; for signing, a release's folder and a
// private key. Outputs: a folder with programs, Debian packages, images, the chart, lists of parts, provenance and
// checksums; signatures beside them. Never: how one of these is written: that is the other rooms' work; the clock.
package dist
