package guard

import "strings"

// invisible reports whether a character shows nothing, or changes the order in which others are shown. White space does
// not count as invisible. Joiners do, although several scripts and emoji need them within words; joined reports where
// they are legitimate.
func invisible(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r >= 0x180b && r <= 0x180f: // soft hyphen, joiners, fillers
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f: // zero width characters, marks and overrides of direction
		return true
	case r == 0x2028, r == 0x2029: // line breaks that only some programs recognise
		return true
	case r == 0x3164, r == 0xfeff, r == 0xffa0, r >= 0xfe00 && r <= 0xfe0f, r >= 0xfff0 && r <= 0xfffb: // fillers, byte order mark, variants, annotations
		return true
	case r >= 0x13430 && r <= 0x1345f, r >= 0x1bca0 && r <= 0x1bca3, r >= 0x1d173 && r <= 0x1d17a: // controls of hieroglyphs, shorthand, music
		return true
	case r >= 0xe0000 && r <= 0xe0fff: // tags and variants: a whole invisible alphabet
		return true
	case r >= 0xe000 && r <= 0xf8ff, r >= 0xf0000: // private use: the font decides how they look
		return true
	}
	return false
}

// joined reports whether an invisible character is legitimate between its visible neighbours. This is true for a joiner
// between emoji or between letters of a script that joins them, and for one variation selector after a symbol.
func joined(before, r, after rune) bool {
	switch r {
	case 0x200c, 0x200d:
		return before >= 0x600 && after >= 0x600 && !invisible(after) && (!invisible(before) || before == 0xfe0f)
	case 0xfe0e, 0xfe0f:
		return before == '#' || before == '*' || before >= '0' && before <= '9' || before >= 0xa9 && !invisible(before)
	}
	return false
}

// deceives reports whether a character can make text look different from what it is: direction overrides and the
// invisible alphabet.
func deceives(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r >= 0xe0000 && r <= 0xe0fff || r == 0x1b ||
		r == 0x9b || r == 0x8
}

// hidden reports new lines with invisible characters.
func (c *checker) hidden(a *added) {
	for i, line := range a.lines {
		if !a.fresh[i] {
			continue
		}
		switch {
		case strings.ContainsFunc(line, deceives):
			c.addFinding(i+1, HiddenText, true, "The line has characters that hide text or change its direction.")
		case Visible(line) != line && strings.TrimPrefix(line, "\ufeff") != Visible(line):
			c.addFinding(i+1, HiddenText, false, "The line has invisible characters.")
		}
	}
}
