package blob

import (
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// A leaked derived key becomes useless after its period, no matter which expiry time is signed with it.
func TestLinksSignedWithOldPeriodKeyAreRefused(t *testing.T) {
	master := []byte(strings.Repeat("m", minMaster))
	now := time.Unix(3_000_000_000, 0)
	signer, err := NewSigner(master, nil, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	for age, wantCode := range map[int64]string{0: "", 1: "", 2: "link_expired", -1: "bad_link"} {
		forged := claim{method: "GET", path: "/blob/a", expires: now.Add(time.Hour).Unix(), kid: periodOf(now) - age,
			name: "a"}
		signature, err := forged.sign(master)
		if err != nil {
			t.Fatal(err)
		}
		_, err = signer.Verify("GET", "/blob/a", forged.query(signature))
		if (err == nil) != (wantCode == "") || err != nil && !fault.HasCode(err, wantCode) {
			t.Errorf("key %d periods old: %v, want %q", age, err, wantCode)
		}
	}
}
