// Package siteaccess identifies readers of a protected site: it signs them in, keeps their sessions, and rejects
// everyone else.
//
// Inputs: requests for protected sites, the project's settings, admin API keys. Outputs: a reader, or a response: the
// sign-in page for people, 401 for programs. Its responses never contain the site's content, and it never stores or
// logs a token, password or code in plain text.
package siteaccess
