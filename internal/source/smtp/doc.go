// Package smtp sends emails through a mail server.
//
// Inputs: the settings of the mail server, and complete messages. Outputs: nil when the server has accepted
// responsibility for a message, otherwise an Error that describes the failure for operators and says whether a
// retry may help. It never stores anything, and its errors contain no recipient addresses.
package smtp
