package output

import "math/bits"

// A CRC-32 is the remainder of the content, as a polynomial over GF(2), modulo crcPoly. The CRC of two concatenated
// pieces is the first CRC times xⁿ, where n is the number of bits of the second piece, plus (xor) the second CRC, so
// the pieces themselves are not needed. Polynomials are represented as in hash/crc32: bit 31 is the coefficient of x⁰,
// and bit 0 is the coefficient of x³¹.

const (
	crcPoly = 0xedb88320
	crcOne  = 1 << 31 // x⁰
)

// crcShift holds x to the power of 2ⁿ, for n from 0. The powers repeat after 32 squarings of x, because the
// polynomial is primitive.
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
	for a != 0 { // from x⁰ of a; each step multiplies b by x
		product ^= b & -(a >> 31)
		a <<= 1
		b = b>>1 ^ crcPoly&-(b&1)
	}
	return product
}

// join returns the CRC of two concatenated pieces. size is the size of the second piece in bytes.
func (s *crcShift) join(first, second uint32, size int64) uint32 {
	shift := uint32(crcOne)
	for left := uint64(size); left != 0; left &= left - 1 {
		n := bits.TrailingZeros64(left) + 3 // a byte is 2³ bits
		shift = crcTimes(shift, s[n%len(s)])
	}
	return crcTimes(shift, first) ^ second
}
