// Package dashboard is the page that a person sees who opens the server's own address.
//
// In: the server's version and address, where its docs are.
// Out: a page that tells what this server is and what to do next, one that follows exports by asking the API from the browser, and the
// files they need.
// Never: data of an organization: there is no sign-in yet, so everybody is sent the same. The page of exports has its reader's key.
package dashboard
