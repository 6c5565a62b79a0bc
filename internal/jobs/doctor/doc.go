// Package doctor looks whether a server could run with its settings, and how the one that runs is doing.
//
// In: a data folder, an open database, a blob store, addresses; whatever of it there is.
// Out: findings: what was looked at, whether it is well, and what to do if not.
// Never: changes anything, but for a probe that is stored and removed again; prints a secret; stops at the first trouble.
package doctor
