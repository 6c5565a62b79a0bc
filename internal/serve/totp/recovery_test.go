package totp

import (
	"bytes"
	"crypto/rand"
	"regexp"
	"strings"
	"testing"
)

func TestRecoveryCodesAreDistinctAndUnambiguous(t *testing.T) {
	shape := regexp.MustCompile(`^[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}$`)
	seen := map[string]bool{}
	for range 50 {
		codes := NewRecovery(rand.Reader)
		if len(codes) != 10 {
			t.Fatalf("%d codes", len(codes))
		}
		for _, code := range codes {
			if !shape.MatchString(code) || seen[code] || CleanRecovery(code) != code {
				t.Errorf("code %q (seen before: %v), cleaned %q", code, seen[code], CleanRecovery(code))
			}
			seen[code] = true
		}
	}
}

func TestEveryBitOfRecoveryCodeIsRandom(t *testing.T) {
	base := NewRecovery(bytes.NewReader(make([]byte, 80)))[0]
	changed := map[string]bool{base: true}
	for bit := range 60 {
		raw := make([]byte, 80)
		raw[bit/8] = 0x80 >> (bit % 8)
		changed[NewRecovery(bytes.NewReader(raw))[0]] = true
	}
	if len(changed) != 61 {
		t.Errorf("60 single bits give %d different codes", len(changed)-1)
	}
}

func TestTypedRecoveryCodesAreNormalized(t *testing.T) {
	for typed, want := range map[string]string{
		"7kxq-m2ab-c9fz":       "7kxq-m2ab-c9fz",
		"7KXQ-M2AB-C9FZ":       "7kxq-m2ab-c9fz",
		" 7kxq m2ab c9fz \r\n": "7kxq-m2ab-c9fz",
		"7kxqm2abc9fz":         "7kxq-m2ab-c9fz",
		"7kxq–m2ab—c9fz":       "7kxq-m2ab-c9fz",
		"o0Oi-1IlL-aaaa":       "0001-1111-aaaa",
		"":                     "",
		"7kxq-m2ab-c9f":        "",
		"7kxq-m2ab-c9fzz":      "",
		"7kxq-m2ab-c9fu":       "",
		"7kxq-m2ab-c9f!":       "",
		"7kxq-m2u!-c9fz":       "",
		"7kxq-m2ab-c9\xff\xff": "",
		"7kxq-m2ab-c9é":        "",
		"7kxqm2abc9fz" + strings.Repeat("-", 1000): "",
	} {
		if got := CleanRecovery(typed); got != want {
			t.Errorf("%.40q becomes %q, want %q", typed, got, want)
		}
	}
}

func FuzzCleanRecovery(f *testing.F) {
	f.Add("7KXQ m2ab—c9fz")
	f.Add("İ\u212a\xff------------")
	f.Fuzz(func(t *testing.T, typed string) {
		got := CleanRecovery(typed)
		if got == "" {
			return
		}
		if len(got) != 14 || CleanRecovery(got) != got ||
			strings.Trim(strings.ReplaceAll(got, "-", ""), recoveryLetter) != "" {
			t.Fatalf("%q becomes %q", typed, got)
		}
	})
}
