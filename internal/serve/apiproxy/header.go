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
	maxSent  = 32 << 10 // bytes of the list of headers that a page sends, as it is sent
	maxPairs = 100
	// bytes of the list of an answer's headers, before base64: servers in front of this one bound theirs
	maxTold = 12 << 10
)

// withheld are headers that a request of the playground cannot have: what belongs to the connection, what names the
// visitor or this server, and what the relay decides itself.
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

// isHiddenHeader reports headers of a response that pages do not get: they would apply to the site's origin, or are
// about the connection.
func isHiddenHeader(name string) bool {
	switch name {
	case "Set-Cookie", "Set-Cookie2", "Connection", "Keep-Alive", "Proxy-Authenticate", "Transfer-Encoding", "Trailer",
		"Upgrade":
		return true
	}
	return false
}

// sent reads the headers for the API. Only these are sent: nothing of the visitor's own request, its cookies above all,
// goes along.
func sent(r *http.Request) (http.Header, error) {
	bad := func(why string) error {
		return fault.New(fault.Invalid, "bad_headers", why).WithField("Lectern-Headers")
	}
	out := http.Header{}
	text := r.Header.Get("Lectern-Headers")
	if len(text) > maxSent {
		return nil, fault.New(fault.TooLarge, "headers_too_large", "The headers of the request are too large.").
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
	out.Set("Accept-Encoding", "identity") // the page shows bytes, and must not be handed a bomb
	if _, ok := out["User-Agent"]; !ok {
		out.Set("User-Agent", "lectern-playground")
	}
	return out, nil
}

// encodeHeaders encodes the headers of a response, sorted by name. Headers beyond the limit are left out, and cut is
// true.
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
		return "W10", true // an empty list; strings always encode
	}
	return base64.RawURLEncoding.EncodeToString(raw), cut
}

// token reports whether text is a token of RFC 9110, as names of headers and methods are.
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
