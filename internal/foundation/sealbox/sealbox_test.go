package sealbox

import (
	"crypto/rand"
	"strings"
	"testing"
)

func TestOpenRequiresMasterPurposeAndOwner(t *testing.T) {
	now, before, other := []byte("now"), []byte("before"), []byte("other")
	sealed := Seal(before, rand.Reader, "purpose", "owner", "secret value")
	if strings.Contains(sealed, "secret") || sealed == Seal(before, rand.Reader, "purpose", "owner", "secret value") {
		t.Errorf("the sealed form reveals the value: %s", sealed)
	}
	var got string
	if stale, ok := Open([][]byte{before}, "purpose", "owner", sealed, &got); !ok || stale || got != "secret value" {
		t.Errorf("%v %v %q", stale, ok, got)
	}
	if stale, ok := Open([][]byte{now, before}, "purpose", "owner", sealed, &got); !ok || !stale {
		t.Errorf("after a change of the master key: %v %v", stale, ok)
	}
	for _, c := range []struct {
		masters                [][]byte
		purpose, owner, sealed string
	}{
		{[][]byte{now, other}, "purpose", "owner", sealed}, {[][]byte{before}, "another", "owner", sealed},
		{[][]byte{before}, "purpose", "another", sealed},
		{[][]byte{before}, "purpose", "owner", sealed[:len(sealed)-4]}, {[][]byte{before}, "purpose", "owner", "x"},
		{[][]byte{before}, "purpose", "owner", "%"}, {nil, "purpose", "owner", sealed},
	} {
		if _, ok := Open(c.masters, c.purpose, c.owner, c.sealed, &got); ok {
			t.Errorf("%q %q %q opened", c.purpose, c.owner, c.sealed)
		}
	}
}
