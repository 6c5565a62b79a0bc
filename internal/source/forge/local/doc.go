// Package local is the embedded code host: pull requests for projects that have none, as proposals in our own database and branches in a
// repository on our own disk.
//
// In: a project whose source is a folder, a repository on this disk or the built-in documentation; what a pull request shall say.
// Out: a repository that holds the source's newest state on its branch main, and the proposals in it as pull requests.
// Never: merging or closing, which people do; a source that has a code host of its own.
package local
