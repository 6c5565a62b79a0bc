// Package browser opens built sites in a real browser, from disk, as a reader of an exported archive does.
//
// In: docs folders written in the tests; Chromium, which tools/install-testservers installs.
// Out: what a reader sees and can do.
// Never: starts the server; looks at anything but pages.
package browser
