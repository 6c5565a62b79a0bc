// Package browser opens built sites in a real browser: from disk, as readers of an exported archive do, and from the
// host that serves published sites, under its content policy. It also opens the dashboard of a whole server, as its
// operators do.
//
// Inputs: docs folders written in the tests or below testdata, and our own docs; Chromium, which
// tools/install-testservers installs. Outputs: what a person at a browser sees and can do. Never: takes a page's
// expected content from a server.
package browser
