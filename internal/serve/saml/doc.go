// Package saml signs people in with an identity provider: it is a SAML 2.0 service provider that uses the Web Browser
// SSO profile, with requests by redirect and responses by form.
//
// The caller generates a random request id and relay state, stores them with the browser that starts the sign-in,
// compares the relay state when the browser returns, passes the request id to Finish, and rejects an Assertion.ID
// that was used before. The content of a response is trusted only if it is inside the element signed with one of the
// provider's keys: this package reads the bytes covered by the signature, never the surrounding document.
//
// Inputs: the settings for one provider; the response that a browser returned with. Outputs: a URL to send a browser
// to; the metadata of this service provider; an Assertion; faults with messages for people and causes for the log. It
// never accepts a response without a request, decrypts anything, reads a document without a size limit, resolves an
// entity, puts a response into an error, or decides what a person may do.
package saml
