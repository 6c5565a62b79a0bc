// Package dashboard is the product's face for the people who run it.
//
// In: requests of people who are signed in (package signin says who), and the admin API's handler.
// Out: pages and forms that work without scripts; scripts only make them livelier.
// Never: does anything that the admin API cannot do: every page and form goes through the API's own client with the member's rights, so
// that rules, limits and audit are the same. Never answers on a host that may carry author content.
package dashboard
