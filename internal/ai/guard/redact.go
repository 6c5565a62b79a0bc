package guard

import (
	"slices"
	"strings"
)

// minKnown is the minimum length of a known value, in bytes: shorter values would occur everywhere.
const minKnown = 4

// mark replaces what was removed.
const mark = "[redacted]"

// Redact replaces secrets in a text: the given values, also encoded in base64 or hex, or escaped for addresses,
// JSON or HTML, and everything that looks like a secret. To redact many texts with the same values, prepare a
// Redactor.
func Redact(text string, secrets []string) string { return NewRedactor(secrets).Redact(text) }

// Redactor finds values that must not be shown. It is safe for concurrent use; the zero value and nil know no
// values.
type Redactor struct {
	find *automaton
	mark string
}

// NewRedactor prepares values; values shorter than four bytes are ignored.
func NewRedactor(secrets []string) *Redactor {
	var all []string
	for _, s := range secrets {
		all = append(all, spellings(s)...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return &Redactor{find: newAutomaton(all), mark: markFor(all)}
}

// markFor returns a mark whose first and last bytes occur in none of the values, so that it cannot form a value
// together with adjacent text. It returns "" if there is no such mark.
func markFor(values []string) string {
	has := func(bytes string) bool {
		return slices.ContainsFunc(values, func(v string) bool {
			for i := range len(bytes) {
				if strings.IndexByte(v, bytes[i]) >= 0 {
					return true
				}
			}
			return false
		})
	}
	if !has("[]") && !slices.ContainsFunc(values, func(v string) bool { return strings.Contains(mark, v) }) {
		return mark
	}
	for _, m := range []string{"█", "▒", "¤", "*", "#", "~", "|", "^", "_", "?", "!", " ", "\n", "\t", "x"} {
		if !has(m) {
			return m
		}
	}
	return ""
}

// Redact replaces the values and everything else that looks like a secret. The result contains none of the values,
// even where text on both sides of a removed secret meets.
func (r *Redactor) Redact(text string) string {
	list := merge(append(r.known(text), findSecrets(text)...))
	if len(list) == 0 {
		return text
	}
	sign := mark
	if r != nil && r.find != nil {
		sign = r.mark
	}
	if sign == "" {
		return "" // an empty text is safer than pieces that might form a secret
	}
	var b strings.Builder
	last := 0
	for _, s := range list {
		b.WriteString(text[last:s.from])
		b.WriteString(sign)
		last = s.to
	}
	b.WriteString(text[last:])
	return b.String()
}

// known finds only the known values.
func (r *Redactor) known(text string) []span {
	if r == nil || r.find == nil {
		return nil
	}
	return r.find.all(text, "one of this server's secrets")
}
