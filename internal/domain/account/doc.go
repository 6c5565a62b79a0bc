// Package account holds organizations, their plans and members, and the admin API keys that act for them.
//
// In: values from callers and from the store.
// Out: the rules: what a key looks like, how it is hashed, what it may do and until when, which plans there are.
// Never: SQL, HTTP or the environment; a key's secret is never part of a stored value.
package account
