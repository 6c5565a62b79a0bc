// Package fingerprint gives a value's digest: equal values have equal ones, on every machine.
//
// In: any value of plain data: no functions, channels or cycles.
// Out: a SHA-256 over its fields in order, exported or not; maps by their keys in order.
// Never: depends on addresses, or calls a method of the value.
//
// Encoders of the standard library leave out what is not exported, and those of other people go by names that can be changed by a tag.
package fingerprint
