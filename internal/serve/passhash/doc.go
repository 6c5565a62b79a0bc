// Package passhash turns a password into a text that can be stored, and tells whether a password fits such a text.
//
// The function is argon2id with the parameters that OWASP names first (19 MiB, 2 passes, 1 lane), and the text is in the PHC form that other
// programs read too. One hash costs 19 MiB of memory and tens of milliseconds of one core, by intent: whoever calls this room must let no more than
// GOMAXPROCS of its functions run at once, or a flood of sign-ins takes all memory, and must bound the length of passwords.
//
// In: a password, randomness for the salt, a stored text that may be broken or hostile.
// Out: a text to store; whether a password fits, and whether the text should be made anew.
// Never: a panic or unbounded work because of a stored text; an answer that comes sooner for a person who does not exist; a rule on what makes a
// good password.
package passhash
