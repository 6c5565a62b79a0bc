// Package apiproxy forwards requests from a site's playground to the APIs that the site describes, for APIs that do
// not allow calls from pages of another origin.
//
// The request is a POST to offer.ProxyPath. Its headers describe the request to send: Lectern-Target is the absolute
// URL, Lectern-Method the method, Lectern-Headers the base64url form of a JSON list of [name, value]; the body is
// sent unchanged. The response has the status 200, the API's own status in Lectern-Status, its headers in
// Lectern-Headers in the same form, the time until they arrived in Lectern-Time (ms), and then the body; a body
// exactly as long as Lectern-Limit (bytes) was truncated. A response without Lectern-Status is an error of the proxy
// itself: JSON with error and code. The response to a GET has Lectern-Proxy: 1, for pages of a bundle, which do not
// know which server serves them.
//
// Inputs: requests from the site's own pages, and the origins in its published API descriptions. Outputs: the API's
// response, as bytes that no browser interprets as a page. It only calls origins that the published descriptions or the
// operator list, and reaches a private address only if the operator listed the origin. It never follows a redirect,
// forwards cookies or headers that the visitor did not write for the API, or sets a cookie for the site.
package apiproxy
