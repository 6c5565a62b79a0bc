// Package account defines organizations, their plans and members, and the admin API keys that act for them.
//
// Inputs: values from callers and from the store.
// Outputs: the rules: the format of a key, how it is hashed, what it may do and until when, and which plans exist.
// It does not depend on SQL, HTTP or the environment. A stored value never contains a key's secret.
package account
