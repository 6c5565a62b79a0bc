// Package site defines the model of one documentation site: pages, navigation, redirects, assets, appearance.
//
// Inputs: values from the packages that read files. Outputs: a Site. It is immutable once package load has built it, so
// any number of goroutines may read it. It does not depend on file formats, HTML or the form of URLs, and does not hold
// page bodies.
package site
