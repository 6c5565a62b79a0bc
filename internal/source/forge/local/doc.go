// Package local is the embedded code host: it provides pull requests for projects without a code host, as proposals in
// the database and branches in a repository on the server's disk.
//
// Inputs: a project whose source is a folder, a repository on this disk or the built-in documentation; the content of a
// pull request.
// Outputs: a repository whose branch main has the newest state of the source, and its proposals as pull requests.
// It never merges or closes a proposal (people do), and never handles a source that has a code host of its own.
package local
