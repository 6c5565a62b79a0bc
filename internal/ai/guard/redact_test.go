package guard_test

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/guard"
)

// G9: records contain no secrets: neither known values in any encoding, nor text in the format of a secret.
func TestRedactRemovesSecrets(t *testing.T) {
	const value = "p@ss word/\"1\"&<2>"
	r := guard.NewRedactor([]string{value, "", "abc"})
	for _, text := range []string{
		value, "x" + value + "y", value + value, url.QueryEscape(value), url.PathEscape(value),
		hex.EncodeToString([]byte(value)),
		strings.ToUpper(hex.EncodeToString([]byte(value))),
		`p@ss word/\"1\"\u0026\u003c2\u003e`, "p@ss word/&#34;1&#34;&amp;&lt;2&gt;",
	} {
		got := r.Redact("before " + text + " after")
		if strings.Contains(got, "ss word") || strings.Contains(got, "6f7264") ||
			!strings.Contains(got, "[redacted]") || !strings.HasPrefix(got, "before ") ||
			!strings.HasSuffix(got, " after") {
			t.Errorf("%q: %q", text, got)
		}
	}
	for pad := range 6 {
		for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			text := enc.EncodeToString([]byte(strings.Repeat("u", pad) + value + "tail"))
			got := r.Redact(text)
			if whole, err := enc.DecodeString(text); err != nil || !strings.Contains(got, "[redacted]") ||
				strings.Contains(got, text[pad+2:pad+14]) {
				t.Errorf("%d before %q: %q", pad, whole, got)
			}
		}
	}
	if got := r.Redact("the abc stays"); got != "the abc stays" {
		t.Errorf("a short value: %q", got)
	}
	for name, secret := range secrets(3) {
		got := guard.Redact("a "+secret+" b", nil)
		if !strings.Contains(got, "[redacted]") || strings.Contains(got, secret) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The individual lines of a multi-line key are found, because logs and patches show them line by line.
func TestRedactFindsIndividualLinesOfValue(t *testing.T) {
	line := drawn(5, letters, 64)
	key := "-----BEGIN PRIVATE KEY-----\n" + line + "\nAAAA=\n-----END PRIVATE KEY-----\n"
	if got := guard.Redact("+"+line+"\n+next", []string{key}); got != "+[redacted]\n+next" {
		t.Errorf("%q", got)
	}
}

// The mark cannot form a value together with adjacent text.
func TestRedactionMarkRevealsNothing(t *testing.T) {
	for _, values := range [][]string{{"[redacted]"}, {"redacted"}, {"xx]y", "secret"}, {"█▒¤*#~|^_?! \n\tx"},
		{"\xe2secret", "secr\xe2"}, {"aXXXX", "XXXXb",
			"[redacted]b"}} {
		for _, text := range []string{"xxsecrety", "[redacted]", "a" + values[0] + "b", "aXXXXb", "sec\xe2secretret",
			strings.Join(values, ""),
			strings.Join(values, "a")} {
			got := guard.Redact(text, values)
			for _, v := range values {
				if strings.Contains(got, v) {
					t.Errorf("%q without %q is %q", text, values, got)
				}
			}
		}
	}
}

func TestZeroRedactorDetectsPatternsOnly(t *testing.T) {
	var none *guard.Redactor
	for _, r := range []*guard.Redactor{none, {}, guard.NewRedactor(nil)} {
		if got := r.Redact("plain"); got != "plain" {
			t.Errorf("%q", got)
		}
		if got := r.Redact(secrets(1)["github"]); got != "[redacted]" {
			t.Errorf("%q", got)
		}
	}
}
