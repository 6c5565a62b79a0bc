// Package smtp hands mails to a mail server.
//
// Inputs: the settings of the mail server, and messages whose texts are ready.
// Outputs: nil when the server has taken responsibility for a message, else an Error that says what failed, in words for
// operators, and whether trying again may help.
// It never stores anything, and its errors contain no address of a recipient.
package smtp
