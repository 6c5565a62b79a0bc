// Package connect defines the interface between the code host drivers and the packages that connect a code host, that
// is, test a credential, list its repositories and install webhooks.
//
// Inputs: a search for repositories; the address and secret of a webhook.
// Outputs: one type for every host's accounts, repositories and rights.
// It never names a code host.
package connect
