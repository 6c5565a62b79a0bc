// Command release builds what a release consists of, proves a release to be whole, sends its images to a registry, and
// pins what comes from Debian.
//
// Inputs: a checkout with packed web files (make packs), the chart and packaging folders, pinned Debian packages, and a
// private key if one is given. Outputs: dist/ with programs, packages, images, chart, lists of parts, provenance, checksums
// and signatures; or what is wrong with such a folder. Never: the clock, the name of this machine or a path of it in
// anything that is released; a signature with a key that was not given for it.
package main
