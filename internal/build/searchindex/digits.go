package searchindex

// digits encode the numbers in shards as text: five bits per character, lowest bits first; the sixth bit means that
// more characters follow. Small numbers take one character. The text compresses far better than packed bytes, and can
// be part of a script.
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// appendNumber adds a number.
func appendNumber(to []byte, n int) []byte {
	for n >= 32 {
		to = append(to, digits[n&31|32])
		n >>= 5
	}
	return append(to, digits[n])
}

// numbers decodes numbers that are written in digits. After the end, or at an invalid character, it returns zeros and
// sets bad.
type numbers struct {
	text string
	at   int
	bad  bool
}

func (d *numbers) more() bool { return d.at < len(d.text) && !d.bad }

func (d *numbers) next() int {
	n := 0
	for shift := 0; shift <= 25; shift += 5 {
		if d.at >= len(d.text) {
			d.bad = true
			return 0
		}
		v := digitOf(d.text[d.at])
		d.at++
		if v < 0 {
			d.bad = true
			return 0
		}
		n |= v & 31 << shift
		if v < 32 {
			return n
		}
	}
	d.bad = true
	return 0
}

// digitOf returns the value of a character, or -1.
func digitOf(c byte) int { return int(digitValues[c]) }

// digitValues is the inverse of digits; it does not change.
var digitValues = func() (out [256]int8) {
	for c := range out {
		out[c] = -1
	}
	for i := range len(digits) {
		out[digits[i]] = int8(i)
	}
	return out
}()
