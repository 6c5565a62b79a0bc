package htmlpolicy

import "strings"

// Source is one candidate of a srcset.
type Source struct {
	URL        string
	Descriptor string // "2x", "640w" or ""
}

// Sources parses a srcset. It drops candidates whose descriptor is not a number followed by x, w or h.
func Sources(srcset string) []Source {
	var out []Source
	for rest := srcset; ; {
		rest = strings.TrimLeft(rest, " \t\r\n\f,")
		if rest == "" {
			return out
		}
		end := strings.IndexAny(rest, " \t\r\n\f")
		if end < 0 {
			end = len(rest)
		}
		address := rest[:end]
		rest = rest[end:]
		descriptor := ""
		if bare := strings.TrimRight(address, ","); bare != address {
			address = bare
		} else {
			descriptor, rest, _ = strings.Cut(rest, ",")
			descriptor = strings.TrimSpace(descriptor)
		}
		if address != "" && validDescriptor(descriptor) {
			out = append(out, Source{address, descriptor})
		}
	}
}

func validDescriptor(d string) bool {
	if d == "" {
		return true
	}
	number := d[:len(d)-1]
	return strings.ContainsRune("xwh", rune(d[len(d)-1])) && number != "" && strings.Trim(number, "0123456789.") == ""
}

// JoinSources returns the sources as a srcset.
func JoinSources(all []Source) string {
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = strings.TrimSpace(s.URL + " " + s.Descriptor)
	}
	return strings.Join(parts, ", ")
}
