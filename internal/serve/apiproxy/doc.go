// Package apiproxy passes requests of the playground on to the APIs that a site describes, for APIs that browsers may not call from the pages of
// another origin.
//
// The request is a POST to offer.ProxyPath. Its headers say what to send: Lectern-Target is the absolute address, Lectern-Method the method,
// Lectern-Headers the base64url form of a JSON list of [name, value]; its body is sent as it is. The answer has the status 200, says the API's
// own in Lectern-Status, its headers in Lectern-Headers in the same form, the time until they came in Lectern-Time (ms), and then the body;
// one that is as long as Lectern-Limit (bytes) was cut there. An answer without Lectern-Status is a refusal of ours: JSON with error and code.
// A GET is answered with Lectern-Proxy: 1, for pages of a bundle, which do not know who serves them.
//
// In: requests of the site's own pages, and the origins of its published API descriptions.
// Out: what the API answers, as bytes that no browser takes for a page.
// Never: an origin that neither the published descriptions nor the operator names; a private address that the operator did not name; a
// redirect; a cookie or a header of the visitor's that they did not write for the API; a cookie for the site.
package apiproxy
