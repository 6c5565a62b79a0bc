package signin

import (
	"bytes"
	"crypto/rand"
	"strings"
	"testing"
	"time"
)

func newService(masters ...string) *Service {
	o := Options{Rand: rand.Reader, Now: func() time.Time { return time.Unix(1_800_000_000, 0) }}
	for _, m := range masters {
		o.Masters = append(o.Masters, bytes.Repeat([]byte(m), 32))
	}
	return New(o)
}

func TestSealedValueIsBoundToPurposeAndOwner(t *testing.T) {
	d := newService("m")
	sealed := d.seal(forTOTP, "usr_a", "secret")
	for name, open := range map[string]func() (bool, bool){
		"another purpose": func() (bool, bool) { var s string; return d.unseal(forSetup, "usr_a", sealed, &s) },
		"another owner":   func() (bool, bool) { var s string; return d.unseal(forTOTP, "usr_b", sealed, &s) },
		"another key": func() (bool, bool) {
			var s string
			return newService("x").unseal(forTOTP, "usr_a", sealed, &s)
		},
		"another type": func() (bool, bool) { var n int; return d.unseal(forTOTP, "usr_a", sealed, &n) },
		"too long": func() (bool, bool) {
			var s string
			return d.unseal(forTOTP, "usr_a", strings.Repeat("A", 5000), &s)
		},
	} {
		if _, ok := open(); ok {
			t.Errorf("%s decrypts it", name)
		}
	}
	var s string
	if stale, ok := d.unseal(forTOTP, "usr_a", sealed, &s); !ok || stale || s != "secret" {
		t.Errorf("%q, stale %v, ok %v", s, stale, ok)
	}
	if stale, ok := newService("x", "m").unseal(forTOTP, "usr_a", sealed, &s); !ok || !stale {
		t.Errorf("with an earlier key: stale %v, ok %v", stale, ok)
	}
	if d.seal(forTOTP, "usr_a", "secret") == sealed {
		t.Error("sealing twice gave the same text")
	}
}

func FuzzUnseal(f *testing.F) {
	d := newService("m", "o")
	f.Add("")
	f.Add("AAAA")
	f.Add(d.seal(forHalf, "", halfway{Person: "usr_a"}))
	f.Fuzz(func(t *testing.T, sealed string) {
		var h halfway
		if _, ok := d.unseal(forHalf, "", sealed, &h); ok && h.Person != "usr_a" {
			t.Fatalf("%q decrypts as %+v", sealed, h)
		}
	})
}
