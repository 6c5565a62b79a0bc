// Package maintain does the chores of a docs folder by rule: links, redirects, descriptions, alt text, versions, terms, navigation, format.
//
// In: a draft of the folder, and a Task, which a model or a person may have written.
// Out: a changed draft, and a Report of what was done and what was left, each with its reason.
// Never: guesses between two ways to mend something, touches a byte that is not meant, or leaves more for a second run of the same task.
//
// Faults are found by the build that publishes the site, so nothing is mended that was not told to be broken; a mended reference is
// looked up by the same table as a reader's click.
package maintain
