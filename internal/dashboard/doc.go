// Package dashboard serves the web interface for the people who run sites.
//
// Inputs: requests of signed-in users (package signin identifies them), and the admin API's handler. Outputs: pages
// and forms that work without scripts; scripts only enhance them. It never does anything that the admin API cannot
// do: every page and form uses the API's own client with the member's permissions, so that rules, limits and audit
// are the same. It never responds on a host that may serve author content.
package dashboard
