// Package siteaccess finds out who reads a protected site: it signs readers in, keeps their sessions, and refuses
// everybody else.
//
// Inputs: requests for protected sites, the project's settings, keys of the admin API.
// Outputs: a reader, or a response: the sign-in page for people, 401 for programs.
// It never answers with anything of the site's content, and never stores or logs a token, password or code in plain
// text.
package siteaccess
