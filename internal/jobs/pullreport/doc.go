// Package pullreport shows people on a code host how the preview of a pull request is doing: by a status of its commit and
// by one comment, which is changed from then on.
//
// Inputs: tasks of reports, and the code host of a project.
// Outputs: a status and a comment; attempts and ends of reports.
// It never changes a preview, and never puts text of authors into a comment other than as code: that is neither a mention,
// nor a link, nor markup.
package pullreport
