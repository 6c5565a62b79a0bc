package guard

import (
	"html"
	"net/netip"
	"net/url"
	"strings"
	"unicode"
)

// hostsIn calls found for each host in an address of a text, even when it is disguised by entities, escapes, or
// backslashes instead of slashes. where is the address starting at its host.
func hostsIn(text string, found func(host, where string)) {
	if !strings.ContainsAny(text, `/\&:`) && !strings.Contains(strings.ToLower(text), "www.") {
		return
	}
	text = undisguised(text)
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '/' && strings.HasPrefix(text[i:], "//") && opensAddress(text, i):
			i = report(text, i+2, found) - 1
		case (text[i] == 'm' || text[i] == 'M') && len(text)-i > 7 && strings.EqualFold(text[i:i+7], "mailto:"):
			rest := text[i+7 : min(len(text), i+7+maxHost)]
			if at := strings.IndexByte(rest, '@'); at >= 0 && !strings.ContainsAny(rest[:at], " \t\n\"'<>)") {
				i = report(text, i+7+at+1, found) - 1
			}
		case (text[i] == 'w' || text[i] == 'W') && len(text)-i > 4 && strings.EqualFold(text[i:i+4], "www.") &&
			(i == 0 || !dotted.in(text[i-1]) &&
				text[i-1] != '/' && text[i-1] != '@'):
			i = report(text, i, found) - 1
		}
	}
}

// maxHost limits the length of a host with the text that may precede it, in bytes.
const maxHost = 300

// opensAddress reports whether the two slashes at i start an address: they follow a scheme's colon, or are in a
// position where an address without a scheme can start.
func opensAddress(text string, i int) bool {
	if i == 0 {
		return false
	}
	if text[i-1] == ':' {
		return i >= 2 && alnum.in(text[i-2])
	}
	return strings.IndexByte("\"'(=<`", text[i-1]) >= 0
}

// report reads the host at i, calls found if it is valid, and returns the position where it ends.
func report(text string, i int, found func(host, where string)) int {
	for i < len(text) && text[i] == '/' { // browsers accept more than two slashes
		i++
	}
	end := i
	for end < len(text) && end < i+maxHost && strings.IndexByte("/?#\\ \t\r\n\"'<>`|,;(){}[]*", text[end]) < 0 {
		end++
	}
	host := text[i:end]
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if end < len(text) && text[end] == '[' && end == i {
		if n := strings.IndexByte(text[end:min(len(text), end+64)], ']'); n > 0 {
			host, end = text[end+1:end+n], end+n+1
		}
	}
	if host = hostName(host); host != "" && !reserved(host) {
		found(host, text[i:addressEnd(text, end)])
	}
	return max(end, i)
}

// addressEnd returns the end of the address that contains i.
func addressEnd(text string, i int) int {
	const longest = 4096
	for from := i; i < len(text) && i < from+longest && strings.IndexByte(" \t\r\n\"'<>`", text[i]) < 0; i++ {
	}
	return i
}

// dots replaces characters that browsers treat as a dot in a host.
var dots = strings.NewReplacer("。", ".", "．", ".", "｡", ".")

// hostName returns a host in the form used for comparison (lower case, no port, no www), or "" if it is not a host.
func hostName(host string) string {
	if strings.Contains(host, "%") {
		if plain, err := url.PathUnescape(host); err == nil {
			host = plain
		}
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.String()
	}
	host, _, _ = strings.Cut(host, ":")
	host = dots.Replace(strings.ToLower(host))
	host = strings.TrimPrefix(strings.Trim(host, ".!*_~"), "www.")
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.String()
	}
	dot := strings.LastIndexByte(host, '.')
	if dot <= 0 || len(host)-dot < 3 || strings.Contains(host, "..") {
		return ""
	}
	for _, r := range host {
		if r != '.' && r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			return ""
		}
	}
	if first := host[dot+1]; first >= '0' && first <= '9' {
		return ""
	}
	return host
}

// reserved reports whether a host cannot belong to anybody: names reserved for examples, this machine, and private
// networks.
func reserved(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified() || ip.IsLinkLocalUnicast() || documentation(ip)
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	switch last {
	case "example", "test", "invalid", "localhost", "local", "internal", "lan", "home", "corp":
		return true
	}
	for _, name := range []string{"example.com", "example.org", "example.net"} {
		if host == name || strings.HasSuffix(host, "."+name) {
			return true
		}
	}
	return false
}

// documentation reports whether an address is reserved for examples.
func documentation(ip netip.Addr) bool {
	for _, p := range []string{"192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32"} {
		if netip.MustParsePrefix(p).Contains(ip) {
			return true
		}
	}
	return false
}

// undisguised resolves entities and escapes, and replaces backslashes with slashes, as a browser would.
func undisguised(text string) string {
	if strings.Contains(text, "&") {
		text = html.UnescapeString(text)
	}
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		r, n := escaped(text[i+1:])
		b.WriteRune(r)
		i += n
	}
	return b.String()
}

// escaped returns the character that a backslash and the text after it represent, and the number of bytes consumed.
func escaped(rest string) (rune, int) {
	digits := 0
	switch rest[0] {
	case '/', ':', '.', '-', '_', '@', '&', '#', '?', '=':
		return rune(rest[0]), 1
	case 'u':
		digits = 4
	case 'x':
		digits = 2
	}
	if digits == 0 || len(rest) <= digits {
		return '/', 0
	}
	r := rune(0)
	for _, c := range rest[1 : digits+1] {
		v := strings.IndexRune("0123456789abcdef", unicode.ToLower(c))
		if v < 0 {
			return '/', 0
		}
		r = r<<4 | rune(v)
	}
	return r, 1 + digits
}
