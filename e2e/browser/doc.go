// Package browser opens built sites in a real browser: from disk, as a reader of an exported archive does, and from the
// host that published sites have, under its rules for content; and the dashboard of a whole server, as the people do
// who run it.
//
// Inputs: docs folders written in the tests or below testdata, and our own docs; Chromium, which tools/install-testservers
// installs. Outputs: what somebody at a browser sees and can do. Never: asks a server for what a page should show; starts
// one, but for the stories of the dashboard, which are about all of it.
package browser
