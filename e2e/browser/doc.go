// Package browser opens built sites in a real browser: from disk, as a reader of an exported archive does, and from the host that
// published sites have, under its rules for content.
//
// In: docs folders written in the tests, and our own docs; Chromium, which tools/install-testservers installs.
// Out: what a reader sees and can do.
// Never: looks at anything but pages; starts the whole server, but for the story of a proposal, which is about all of it.
package browser
