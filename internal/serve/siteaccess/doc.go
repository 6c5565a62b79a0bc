// Package siteaccess identifies readers of a protected site: it signs readers in, keeps their sessions, and rejects
// everyone else.
//
// Inputs: requests for protected sites, the project's settings, keys of the admin API. Outputs: a reader, or a
// response: the sign-in page for people, 401 for programs. Its responses never contain the site's content, and it
// never stores or logs a token, password or code in plain text.
package siteaccess
