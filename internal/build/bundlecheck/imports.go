package bundlecheck

import "bytes"

// imports finds literal addresses that a script imports: import "a", import x from "a", export x from "a",
// import("a"). It also matches text in strings. Addresses that a script computes at run time cannot be found
// without running it.
func imports(src []byte, found func(offset int, address string)) {
	for _, word := range []string{"import", "from"} {
		for at := 0; ; {
			i := bytes.Index(src[at:], []byte(word))
			if i < 0 {
				break
			}
			start := at + i
			at = start + len(word)
			if start > 0 && inIdentifier(src[start-1]) {
				continue
			}
			rest := bytes.TrimLeft(src[at:min(len(src), at+32)], " \t\r\n(")
			if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' && rest[0] != '`' {
				continue
			}
			open := at + len(src[at:min(len(src), at+32)]) - len(rest) + 1
			if end := bytes.IndexByte(src[open:min(len(src), open+2048)], rest[0]); end >= 0 {
				found(open, string(src[open:open+end]))
			}
		}
	}
}

func inIdentifier(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '.' ||
		c >= 0x80
}
