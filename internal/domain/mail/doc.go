// Package mail defines the emails that the server sends to people: their kinds, states, and content.
//
// Inputs: names and addresses chosen by people, which are untrusted, and links. Outputs: a subject on one line, and the
// same content as plain text and HTML. It sends nothing, and does not depend on mail servers.
package mail
