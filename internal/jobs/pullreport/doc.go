// Package pullreport reports the state of a pull request's preview on the code host: with a commit status and one
// comment, which it updates.
//
// Inputs: report tasks and a project's code host. Outputs: a status and a comment; the attempts and results of
// reports. It never changes a preview, and puts text of authors into a comment only as code, so that it cannot become
// a mention, a link or markup.
package pullreport
