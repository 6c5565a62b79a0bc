// Package site is the model of one documentation site: pages, navigation, redirects, assets, appearance.
//
// In: values made by the rooms that read files.
// Out: an immutable Site; after scan made it nobody changes it, so any number of goroutines may read it.
// Never: knows a file format, an HTML tag or how a URL is written; holds no page body.
package site
