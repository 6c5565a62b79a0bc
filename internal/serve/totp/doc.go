// Package totp implements the second factor: time-based codes from an authenticator app (RFC 6238: SHA-1, 6 digits,
// 30 s), and recovery codes for a lost phone.
//
// The algorithm is implemented here, in a few lines on top of the standard library, because existing libraries report
// only whether a code is valid. To reject the replay of an observed code, the caller must know which time step the
// code belongs to, and store that step.
//
// Inputs: a secret, the code typed by a person, the clock, the step of the last accepted code; randomness for new
// secrets. Outputs: whether the code matches and for which step; secrets, URLs and QR codes for apps; recovery codes.
// It stores nothing: the caller must store the step in the same transaction that creates the session, and limit the
// number of attempts. It does not hash recovery codes, which have 60 random bits; the caller must store them with a
// keyed or a slow hash.
package totp
