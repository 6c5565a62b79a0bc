// Package maintain runs rule-based maintenance on a docs folder: links, redirects, descriptions, alt text,
// versions, terms, navigation, format.
//
// Inputs: a draft of the folder, and a Task, which a model or a person may have written. Outputs: a changed draft,
// and a Report of the changes and of the problems left, each with its reason. It never chooses between two possible
// fixes and never changes a byte outside the fix. A second run of the same task changes nothing.
//
// The build that publishes the site finds the problems, so maintain fixes nothing that the build does not report.
// It resolves a fixed reference with the same table that resolves a reader's click.
package maintain
