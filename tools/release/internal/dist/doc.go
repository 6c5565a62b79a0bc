// Package dist assembles a release.
//
// Inputs: a checkout at a commit, pinned Debian packages, the platforms, the builder; for signing, a release's folder
// and a private key. Outputs: a folder with programs, Debian packages, images, the chart, lists of parts, provenance
// and checksums; their signatures. The formats are implemented by the other packages. It never uses the current time.
package dist
