// Package fingerprint hashes Go values. Equal values have equal digests on every machine.
//
// Inputs: any value of plain data, without functions, channels or cycles. Outputs: a SHA-256 of its fields in
// order, exported or not; maps ordered by their keys. The digest never depends on addresses, and no method of the
// value is called.
//
// The encoders of the standard library skip unexported fields, and third-party encoders use names that a struct tag
// can change.
package fingerprint
