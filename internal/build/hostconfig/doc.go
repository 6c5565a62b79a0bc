// Package hostconfig writes down, for hosts of static files, what files alone cannot say: which old addresses lead where, that
// /guides/start is guides/start.html, what to answer for a missing page, and which files never change.
//
// In: redirects taken apart by the link room, and where the site stands on its host.
// Out: the files that hosts read by themselves, and snippets in each host's own language to copy or include.
// Never: writes a rule that a host would read as another one than its author meant; what a host cannot say is left out and listed.
package hostconfig
