// Package pagetext takes the text out of a rendered page: what a reader reads, section by section, without what the platform
// writes around it.
//
// In: HTML from the render room.
// Out: sections, each with the id that leads to it, its heading, its text and its code.
// Never: reads HTML of strangers; it relies on attributes being quoted and never sees a page that the render room did not write.
package pagetext
