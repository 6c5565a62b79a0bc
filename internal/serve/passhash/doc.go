// Package passhash hashes passwords for storage and compares passwords with stored hashes.
//
// The function is argon2id with the first set of parameters recommended by OWASP (19 MiB, 2 passes, 1 lane), encoded
// in the PHC format, which other programs can also read. One hash deliberately costs 19 MiB of memory and tens of
// milliseconds of CPU time. The caller must run at most GOMAXPROCS of these functions at once, or a flood of sign-ins
// uses up all memory, and must limit the length of passwords.
//
// Inputs: a password, randomness for the salt, a stored hash that may be broken or hostile. Outputs: a hash to store;
// whether a password matches, and whether the hash should be replaced by a new one. It never panics or does unbounded
// work because of a stored hash, never returns sooner for a person who does not exist, and does not judge the
// strength of passwords.
package passhash
