// Package site defines the model of one documentation site: pages, navigation, redirects, assets, appearance.
//
// Inputs: values from the packages that read files.
// Outputs: a Site, immutable once package load has built it, so that any number of goroutines may read it.
// It never knows a file format, an HTML tag or how a URL is written, and it holds no page body.
package site
