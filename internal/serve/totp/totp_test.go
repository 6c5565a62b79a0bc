package totp

import (
	"bytes"
	"crypto/rand"
	"encoding/base32"
	"fmt"
	"strings"
	"testing"
	"time"
)

// rfcSecret is the secret of RFC 6238 appendix B, in the form used by apps.
var rfcSecret = base32.StdEncoding.EncodeToString([]byte("12345678901234567890"))

// rfcVectors are the test vectors for SHA-1 in RFC 6238 appendix B; their codes have eight digits, of which the last
// six are ours.
var rfcVectors = []struct {
	at   int64 // Unix seconds
	step int64
	code string
}{
	{59, 0x1, "94287082"}, {1111111109, 0x23523EC, "07081804"}, {1111111111, 0x23523ED, "14050471"},
	{1234567890, 0x273EF07, "89005924"}, {2000000000, 0x3F940AA, "69279037"}, {20000000000, 0x27BC86AA, "65353130"},
}

func TestCodesMatchTheRFC(t *testing.T) {
	for _, v := range rfcVectors {
		step, ok := Match(rfcSecret, v.code[2:], time.Unix(v.at, 0), 0)
		if !ok || step != v.step {
			t.Errorf("at %d: step %#x, %v, want %#x", v.at, step, ok, v.step)
		}
		if _, ok := Match(rfcSecret, v.code, time.Unix(v.at, 0), 0); ok {
			t.Errorf("at %d: eight digits were accepted", v.at)
		}
	}
}

func TestCodeMatchesAdjacentSteps(t *testing.T) {
	const start = 1_111_111_110 // a step begins here
	key, _ := parseSecret(rfcSecret)
	code := at(key, start/period)
	for _, c := range []struct {
		second int64
		ok     bool
	}{{-31, false}, {-30, true}, {-1, true}, {0, true}, {29, true}, {30, true}, {59, true}, {60, false}} {
		step, ok := Match(rfcSecret, code, time.Unix(start+c.second, 0), 0)
		if ok != c.ok || ok && step != start/period {
			t.Errorf("%d s after its step began: step %d, %v", c.second, step, ok)
		}
	}
}

func TestCodeMatchesOnce(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	current := now.Unix() / period
	key, _ := parseSecret(rfcSecret)
	code := at(key, current)
	step, ok := Match(rfcSecret, code, now, 0)
	if !ok || step != current {
		t.Fatalf("first use: %d, %v", step, ok)
	}
	for _, later := range []time.Duration{0, time.Second, 30 * time.Second} {
		if again, ok := Match(rfcSecret, code, now.Add(later), step); ok || again != 0 {
			t.Errorf("the same code %s later: %d, %v", later, again, ok)
		}
	}
	if _, ok := Match(rfcSecret, at(key, current-1), now, step); ok {
		t.Error("an older code was accepted after a newer one")
	}
	if next, ok := Match(rfcSecret, at(key, current+1), now, step); !ok || next != current+1 {
		t.Errorf("the next code: %d, %v", next, ok)
	}
}

func TestCodeSharedByTwoStepsWorksOnce(t *testing.T) {
	key, _ := parseSecret(rfcSecret)
	for s := int64(1); s < 3_000_000; s++ { // one in a million steps has its predecessor's code
		if at(key, s) != at(key, s+1) {
			continue
		}
		step, ok := Match(rfcSecret, at(key, s), time.Unix(s*period, 0), 0)
		if !ok || step != s+1 {
			t.Errorf("step %d, %v, want the later one %d", step, ok, s+1)
		}
		return
	}
	t.Fatal("no such step: the search is too short")
}

func TestSpacesInTypedCodesAreIgnored(t *testing.T) {
	now := time.Unix(59, 0)
	for _, typed := range []string{"287082", "287 082", " 287082\n", "2 8 7 0 8 2", "287\u00a0082"} {
		if _, ok := Match(rfcSecret, typed, now, 0); !ok {
			t.Errorf("%q was refused", typed)
		}
	}
	for _, typed := range []string{"", " ", "28708", "2870820", "287-082", "28708a", "+87082", "２８７０８２",
		"287082" + strings.Repeat(" ", 100), "\xff\xff\xff\xff\xff\xff"} {
		if _, ok := Match(rfcSecret, typed, now, 0); ok {
			t.Errorf("%q was accepted", typed)
		}
	}
}

func TestBrokenSecretMatchesNothing(t *testing.T) {
	empty := at(nil, 1)
	for _, secret := range []string{"", "A", "GEZDGNBV", "not base32!", rfcSecret + "=", strings.Repeat("A", 10_000)} {
		for _, code := range []string{empty, "287082", "000000"} {
			if _, ok := Match(secret, code, time.Unix(59, 0), 0); ok {
				t.Errorf("%.20q with %s was accepted", secret, code)
			}
		}
	}
}

func TestSecretsAreRandomAndMatchTheirOwnCodes(t *testing.T) {
	a, b := NewSecret(rand.Reader), NewSecret(rand.Reader)
	if a == b || len(a) != 32 || len(b) != 32 {
		t.Errorf("secrets %q and %q", a, b)
	}
	if got := NewSecret(strings.NewReader("12345678901234567890")); got != rfcSecret {
		t.Errorf("got %s, want all of the given randomness, in order", got)
	}
	key, err := parseSecret(a)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1_700_000_000, 0)
	if _, ok := Match(a, at(key, now.Unix()/period), now, 0); !ok {
		t.Error("a new secret does not match its own code")
	}
}

func TestFailingRandomnessCausesPanic(t *testing.T) {
	for name, do := range map[string]func(){
		"secret":   func() { NewSecret(bytes.NewReader(make([]byte, secretLen-1))) },
		"recovery": func() { NewRecovery(bytes.NewReader(make([]byte, 79))) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a %s was created without enough randomness", name)
				}
			}()
			do()
		}()
	}
}

func FuzzMatch(f *testing.F) {
	f.Add(rfcSecret, "287082", int64(59), int64(0))
	f.Add("", "328482", int64(-1), int64(-9))
	f.Add(rfcSecret, "2 8 7\u00a0082", int64(1<<62), int64(1<<62))
	f.Fuzz(func(t *testing.T, secret, code string, now, last int64) {
		step, ok := Match(secret, code, time.Unix(now, 0), last)
		if !ok {
			if step != 0 {
				t.Fatalf("step %d without a match", step)
			}
			return
		}
		if step <= last || step < now/period-drift || step > now/period+drift {
			t.Fatalf("step %d at %d after %d", step, now/period, last)
		}
		if key, err := parseSecret(secret); err != nil || at(key, step) != squeeze(code) {
			t.Fatalf("%q is not the code of step %d: %v", code, step, err)
		}
		if again, ok := Match(secret, code, time.Unix(now, 0), step); ok {
			t.Fatalf("the code matches again, for step %d", again)
		}
	})
}

func ExampleURI() {
	fmt.Println(URI("Lectern", "owner@example.com", "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"))
	// Output:
	// otpauth://totp/Lectern:owner%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Lectern&algorithm=SHA1&digits=6&period=30
}
