// Package link knows where every reference leads and how its address is written.
//
// In: the site model, a Style, and references as authors wrote them.
// Out: final addresses, or the reason why there is none; redirect matching; sitemap and robots files.
// Never: reads files or HTML; an address it gives out has the scheme http, https or mailto, or none.
package link
