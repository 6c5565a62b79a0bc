// Package assistanthttp serves the assistant's endpoints on a site: it streams answers to questions from the site's
// pages and from the widget on other sites. It also defines the JSON of questions and answers, which the admin API
// shares.
//
// Inputs: requests to offer.AskPath and below it, on any site. Outputs: answers in the AI SDK's message stream,
// limits per visitor and per site, readers' ratings of answers. It never responds to pages whose origin is neither
// the site's nor allowed by the operator, and knows nothing about models or the content of answers.
package assistanthttp
