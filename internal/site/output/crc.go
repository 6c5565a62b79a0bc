package output

import "math/bits"

// A CRC-32 is the remainder of a polynomial over GF(2), the content's bits, by crcPoly. The CRC of two contents, one
// after the other, is that of the first times x to the number of the second's bits, plus (xor) that of the second; so
// the contents are not needed. Polynomials are written as hash/crc32 has them: bit 31 is the coefficient of x⁰, bit 0
// that of x³¹.

const (
	crcPoly = 0xedb88320
	crcOne  = 1 << 31 // x⁰
)

// crcShift has x to the power of 2ⁿ, for n from 0. After 32 squarings of x the powers repeat, since the polynomial is
// primitive.
type crcShift [32]uint32

func newCRCShift() *crcShift {
	var s crcShift
	power := uint32(crcOne >> 1)
	for n := range s {
		s[n] = power
		power = crcTimes(power, power)
	}
	return &s
}

// crcTimes multiplies two polynomials modulo crcPoly.
func crcTimes(a, b uint32) (product uint32) {
	for a != 0 { // from x⁰ of a on; b is multiplied by x at every step
		product ^= b & -(a >> 31)
		a <<= 1
		b = b>>1 ^ crcPoly&-(b&1)
	}
	return product
}

// join returns the CRC of two concatenated contents; size is that of the second, in bytes.
func (s *crcShift) join(first, second uint32, size int64) uint32 {
	shift := uint32(crcOne)
	for left := uint64(size); left != 0; left &= left - 1 {
		n := bits.TrailingZeros64(left) + 3 // a byte is 2³ bits
		shift = crcTimes(shift, s[n%len(s)])
	}
	return crcTimes(shift, first) ^ second
}
