package totp

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"rsc.io/qr"
)

// quiet is the margin required by scanners, in modules.
const quiet = 4

// URI returns the URL in the QR code for an app: the account, the issuer and the secret. Apps treat a colon, however
// it is escaped, as the separator between issuer and account, so colons in either are replaced by spaces.
func URI(issuer, account, secret string) string {
	issuer, account = label(issuer), label(account)
	name := escape(account)
	if issuer != "" {
		name = escape(issuer) + ":" + name
	}
	uri := "otpauth://totp/" + name + "?secret=" + escape(secret)
	if issuer != "" {
		uri += "&issuer=" + escape(issuer)
	}
	return uri + "&algorithm=SHA1&digits=" + strconv.Itoa(digits) + "&period=" + strconv.Itoa(period)
}

func label(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(strings.ToValidUTF8(text, ""), ":", " ")), " ")
}

// escape avoids "+", which only some apps decode as a space.
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

// QR renders text as a QR code: one inline SVG element. The dark modules have the current color, which is black unless
// a style sheet sets another for .totp-ink. The background, .totp-paper, is white, because scanners need dark on light
// regardless of the page's colors. The text itself is not included as a label: it is a secret, and screen readers would
// read it aloud.
func QR(text string) (svg string, err error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return "", fmt.Errorf("draw QR code of %d bytes: %w", len(text), err)
	}
	size := code.Size + 2*quiet
	return fmt.Sprintf(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[1]d" role="img" aria-label="QR code for an authenticator app"`+
			` shape-rendering="crispEdges"><rect class="totp-paper" width="%[1]d" height="%[1]d" fill="#fff"/>`+
			`<path class="totp-ink" color="#000" fill="currentColor" d="%[2]s"/></svg>`, size, ink(code)), nil
}

// ink returns a path with all dark modules: one rectangle for each run of them in a row.
func ink(code *qr.Code) string {
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			start := x
			for code.Black(x, y) {
				x++
			}
			if n := x - start; n > 0 {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", start+quiet, y+quiet, n, n)
			}
		}
	}
	return path.String()
}
