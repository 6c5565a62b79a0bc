// Package totp is the second factor: six digits that an authenticator app shows for thirty seconds (RFC 6238: SHA-1, 6 digits, 30 s), and recovery
// codes for the day the phone is gone.
//
// The algorithm is written out here, in a few lines over the standard library, because libraries for it answer yes or no only. To refuse a code that
// was seen over a shoulder and is tried again, one must know which step of time it was for, and store that.
//
// In: a secret, the code a person typed, the clock, the step of the last code that was taken; randomness for new secrets.
// Out: whether the code fits and for which step; secrets, addresses and QR codes for apps; recovery codes.
// Never: storage (who calls must keep the step in the same transaction that lets the person in, and bound how often one may try); a hash of
// recovery codes, which have 60 random bits and must be stored under a keyed or a slow one.
package totp
