// Package assistanthttp is the assistant's door on a site: questions of its pages and of the widget on other sites, as a stream of events; and the
// form of a question and of an answer that the admin API shares.
//
// In: requests to offer.AskPath and below it, on any site.
// Out: answers in the AI SDK's message stream, limits for each visitor and each site, what readers say of answers.
// Never: answers pages of an origin that is neither the site's nor the operator's; knows a model, or what an answer says.
package assistanthttp
