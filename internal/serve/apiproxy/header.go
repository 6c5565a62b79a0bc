package apiproxy

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const (
	maxSent  = 32 << 10 // bytes of the encoded header list in a request
	maxPairs = 100
	// bytes of the header list in a response, before base64: proxies in front of this server limit header sizes
	maxTold = 12 << 10
)

// withheld lists headers that a playground request cannot set: headers about the connection, headers that identify the
// visitor or this server, and headers that the proxy sets itself.
var withheld = []string{
	"Accept-Encoding", "Connection", "Content-Length", "Expect", "Forwarded", "Host", "Http2-Settings", "Keep-Alive",
	"Origin", "Proxy-Authenticate", "Proxy-Authorization",
	"Proxy-Connection", "Referer", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Via", "X-Real-Ip", "X-Request-Id",
	"Traceparent", "Tracestate", "X-Client-Ip", "True-Client-Ip",
}

func withholds(name string) bool {
	name = http.CanonicalHeaderKey(name)
	return slices.Contains(withheld, name) || strings.HasPrefix(name, "X-Forwarded-") ||
		strings.HasPrefix(name, "Sec-") || strings.HasPrefix(name, "Lectern-") || strings.HasPrefix(name, "X-Lectern-")
}

// isHiddenHeader reports whether a response header is hidden from pages, because it would apply to the site's origin
// or belongs to the connection.
func isHiddenHeader(name string) bool {
	switch name {
	case "Set-Cookie", "Set-Cookie2", "Connection", "Keep-Alive", "Proxy-Authenticate", "Transfer-Encoding", "Trailer",
		"Upgrade":
		return true
	}
	return false
}

// sent parses the headers to send to the API. The visitor's own request headers, in particular cookies, are not
// forwarded.
func sent(r *http.Request) (http.Header, error) {
	bad := func(why string) error {
		return fault.New(fault.Invalid, "bad_headers", why).WithField("Lectern-Headers")
	}
	out := http.Header{}
	text := r.Header.Get("Lectern-Headers")
	if len(text) > maxSent {
		return nil, fault.New(fault.TooLarge, "headers_too_large", "The request's headers are too large.").
			WithField("Lectern-Headers")
	}
	if text != "" {
		raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
		if err != nil {
			return nil, bad("The header Lectern-Headers must be base64url.")
		}
		var pairs [][2]string
		if err := json.Unmarshal(raw, &pairs); err != nil || len(pairs) > maxPairs {
			return nil, bad("The header Lectern-Headers must contain a list of at most 100 name and value pairs.")
		}
		for _, p := range pairs {
			if !token(p[0]) || !fieldValue(p[1]) {
				return nil, bad("A header's name or value contains an invalid character.")
			}
			if !withholds(p[0]) {
				out.Add(p[0], p[1])
			}
		}
	}
	out.Set("Accept-Encoding", "identity") // the page displays bytes, and must not receive a decompression bomb
	if _, ok := out["User-Agent"]; !ok {
		out.Set("User-Agent", "lectern-playground")
	}
	return out, nil
}

// encodeHeaders encodes the headers of a response, sorted by name. cut is true if headers beyond the limit were left
// out.
func encodeHeaders(h http.Header) (text string, cut bool) {
	names := make([]string, 0, len(h))
	for name := range h {
		if !isHiddenHeader(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	pairs, size := [][2]string{}, 2
	for _, name := range names {
		for _, value := range h[name] {
			value = strings.ToValidUTF8(value, "\uFFFD")
			one, err := json.Marshal([2]string{name, value})
			if err != nil || size+len(one)+1 > maxTold {
				cut = true
				continue
			}
			pairs = append(pairs, [2]string{name, value})
			size += len(one) + 1
		}
	}
	raw, err := json.Marshal(pairs)
	if err != nil {
		return "W10", true // an empty list; encoding strings cannot fail
	}
	return base64.RawURLEncoding.EncodeToString(raw), cut
}

// token reports whether s is a token as defined by RFC 9110, as required for header names and methods.
func token(s string) bool {
	if s == "" {
		return false
	}
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c &&
			c <= '9', strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0:
		default:
			return false
		}
	}
	return true
}

// fieldValue reports whether a value contains no line break.
func fieldValue(s string) bool {
	for _, c := range []byte(s) {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
