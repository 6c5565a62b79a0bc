// Package mail defines the mails that the server sends to people: which there are, their states, and what they say.
//
// Inputs: names and addresses that people chose, which are hostile, and links.
// Outputs: a subject on one line, a plain text and an HTML form of the same content.
// It sends nothing, and knows no mail server.
package mail
