package guard

// alphabet is a set of bytes that occur in a secret.
type alphabet int

const (
	alnum     alphabet = iota // A–Z a–z 0–9
	word                      // and _
	dashed                    // and _ -
	dotted                    // and _ - .
	radix64                   // alnum and + / =, and _ - from its URL form
	hexits                    // 0–9 a–f
	anyHex                    // and A–F
	upper                     // A–Z 0–9
	upperDash                 // and -
	letter                    // A–Z a–z
	loose                     // radix64 and . ~
	alphabets
)

// in reports whether b belongs to the alphabet.
func (a alphabet) in(b byte) bool {
	digit, small, big := b >= '0' && b <= '9', b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z'
	switch a {
	case hexits:
		return digit || b >= 'a' && b <= 'f'
	case anyHex:
		return digit || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
	case upper:
		return digit || big
	case upperDash:
		return digit || big || b == '-'
	case letter:
		return small || big
	case word:
		return digit || small || big || b == '_'
	case dashed:
		return digit || small || big || b == '_' || b == '-'
	case dotted:
		return digit || small || big || b == '_' || b == '-' || b == '.'
	case radix64, loose:
		if a == loose && (b == '.' || b == '~') {
			return true
		}
		return digit || small || big || b == '_' || b == '-' || b == '+' || b == '/' || b == '='
	}
	return digit || small || big
}

// shape is the format of an issuer's keys: a prefix, followed by min to max bytes of an alphabet, and then a byte
// outside the alphabet. A max of 0 means no limit.
type shape struct {
	prefix   string
	of       alphabet
	min, max int
	what     string
}

// strict reports whether a short prefix and an exact number of bytes from the alphabet are enough to recognise a key,
// because names in code do not look like that.
func (a alphabet) strict() bool {
	return a == hexits || a == anyHex || a == upper || a == upperDash || a == letter
}

// Format is a format by which keys are recognised.
type Format struct {
	Prefix, Alphabet string // of a key, and of the bytes after it
	Min, Max         int    // number of bytes after the prefix; Max 0 = any number
	What             string // its kind, with an article
}

// Formats lists all formats. Lectern's own keys also have a checksum.
func Formats() (out []Format) {
	for _, s := range shapes {
		f := Format{Prefix: s.prefix, Min: s.min, Max: s.max, What: s.what}
		for b := byte('!'); b <= '~'; b++ {
			if s.of.in(b) {
				f.Alphabet += string(rune(b))
			}
		}
		out = append(out, f)
	}
	return out
}

// byFirst groups the shapes by their first byte.
var byFirst = func() (table [256][]shape) {
	for _, s := range shapes {
		table[s.prefix[0]] = append(table[s.prefix[0]], s)
	}
	return table
}()
