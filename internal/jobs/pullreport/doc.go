// Package pullreport reports the state of a pull request's preview on the code host: with a commit status and one
// comment, which it keeps up to date.
//
// Inputs: report tasks and a project's code host. Outputs: a status and a comment; the attempts and results of
// reports. It never changes a preview, and it puts authors' text into a comment only as code, so that the text cannot
// become a mention, a link or markup.
package pullreport
