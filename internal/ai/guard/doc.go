// Package guard stands between an agent and everybody else: it keeps strangers' tricks out of what a model reads, and secrets, script and
// files that are none of its business out of what the model writes.
//
// In: changed files, texts, and rules of the operator.
// Out: findings, some of which must stop a proposal; texts that are safe to hand on.
// Never: shows a secret that it found, asks a model, reads a file that it was not given, or takes more than linear time.
package guard
