// Package dashboard is the page that a person sees who opens the server's own address.
//
// In: the server's version and address, where its docs are.
// Out: one page that tells what this server is and what to do next, and the files it needs.
// Never: data of an organization: there is no sign-in yet, so everybody sees the same.
package dashboard
