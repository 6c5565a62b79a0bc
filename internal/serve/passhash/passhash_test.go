package passhash

import (
	"bytes"
	"crypto/rand"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/crypto/argon2"
)

var (
	recommended Cost // used in production
	cheap       = Cost{Memory: 64, Passes: 1}
)

func TestPasswordMatchesOnlyItsOwnHash(t *testing.T) {
	for _, password := range []string{"correct horse battery staple", "", "pässwörd \x00 \xff",
		strings.Repeat("long ", 500)} {
		text := recommended.Hash(rand.Reader, password)
		if !strings.HasPrefix(text, "$argon2id$v=19$m=19456,t=2,p=1$") || strings.Count(text, "$") != 5 {
			t.Errorf("the text is %s", text)
		}
		if ok, stale := recommended.Verify(text, password); !ok || stale {
			t.Errorf("%q: ok %v, stale %v", password, ok, stale)
		}
		for _, other := range []string{password + " ", " " + password, strings.ToUpper(password) + "x"} {
			if ok, stale := recommended.Verify(text, other); ok || stale {
				t.Errorf("%q passes for %q", other, password)
			}
		}
	}
}

func TestHashesOfSamePasswordDiffer(t *testing.T) {
	first, second := recommended.Hash(rand.Reader, "same"), recommended.Hash(rand.Reader, "same")
	if first == second {
		t.Error("the salt does not come from the given randomness")
	}
	zeros := make([]byte, saltLen)
	first, second = recommended.Hash(bytes.NewReader(zeros), "same"), recommended.Hash(bytes.NewReader(zeros), "same")
	if first != second {
		t.Error("something other than the given randomness changes the text")
	}
}

// The text is from the tests of argon2's authors: we can read other programs' hashes, and they can read ours.
func TestReferenceImplementationHashIsAccepted(t *testing.T) {
	const text = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	if ok, stale := recommended.Verify(text, "password"); !ok || !stale {
		t.Errorf("ok %v, stale %v: want both, since its salt is shorter than ours", ok, stale)
	}
}

func TestHashWithCheaperParametersIsStale(t *testing.T) {
	seal := func(m, n uint32, p uint8, salt, sum int) string {
		s := sealed{memory: m, passes: n, lanes: p, salt: bytes.Repeat([]byte{7}, salt)}
		s.sum = argon2.IDKey([]byte("word"), s.salt, n, m, p, uint32(sum))
		return s.String()
	}
	for name, c := range map[string]struct {
		text  string
		stale bool
	}{
		"today's":      {seal(memory, passes, lanes, saltLen, sumLen), false},
		"dearer":       {seal(memory+1024, passes+1, 2, saltLen+8, sumLen+16), false},
		"less memory":  {seal(memory-1, passes, lanes, saltLen, sumLen), true},
		"fewer passes": {seal(memory, passes-1, lanes, saltLen, sumLen), true},
		"shorter salt": {seal(memory, passes, lanes, saltLen-1, sumLen), true},
		"shorter sum":  {seal(memory, passes, lanes, saltLen, sumLen-1), true},
	} {
		if ok, stale := recommended.Verify(c.text, "word"); !ok || stale != c.stale {
			t.Errorf("%s: ok %v, stale %v", name, ok, stale)
		}
		if ok, stale := recommended.Verify(c.text, "other"); ok || stale {
			t.Errorf("%s with another password: ok %v, stale %v", name, ok, stale)
		}
	}
}

func TestLowerCostHashIsStaleInProduction(t *testing.T) {
	text := cheap.Hash(rand.Reader, "word")
	if !strings.HasPrefix(text, "$argon2id$v=19$m=64,t=1,p=1$") {
		t.Errorf("the text is %s", text)
	}
	if ok, stale := cheap.Verify(text, "word"); !ok || stale {
		t.Errorf("at its own cost: ok %v, stale %v", ok, stale)
	}
	if ok, stale := recommended.Verify(text, "word"); !ok || !stale {
		t.Errorf("in production: ok %v, stale %v", ok, stale)
	}
}

func TestBrokenHashMatchesNothing(t *testing.T) {
	good := recommended.Hash(rand.Reader, "word")
	parts := strings.Split(good, "$")
	with := func(i int, text string) string {
		p := append([]string(nil), parts...)
		p[i] = text
		return strings.Join(p, "$")
	}
	for name, text := range map[string]string{
		"empty":             "",
		"plain password":    "word",
		"dollars":           "$$$$$",
		"other function":    with(1, "argon2i"),
		"other version":     with(2, "v=16"),
		"no costs":          with(3, ""),
		"no memory":         with(3, "m=0,t=2,p=1"),
		"memory over bound": with(3, "m=262145,t=2,p=1"),
		"memory overflows":  with(3, "m=4294967297,t=2,p=1"),
		"no passes":         with(3, "m=19456,t=0,p=1"),
		"endless passes":    with(3, "m=19456,t=11,p=1"),
		"no lanes":          with(3, "m=19456,t=2,p=0"),
		"many lanes":        with(3, "m=19456,t=2,p=17"),
		"lanes wrap":        with(3, "m=19456,t=2,p=257"),
		"thin lanes":        with(3, "m=8,t=2,p=2"),
		"negative":          with(3, "m=-1,t=2,p=1"),
		"signed":            with(3, "m=+19456,t=2,p=1"),
		"leading zero":      with(3, "m=019456,t=2,p=1"),
		"other order":       with(3, "t=2,m=19456,p=1"),
		"more costs":        with(3, "m=19456,t=2,p=1,keyid=1"),
		"no salt":           with(4, ""),
		"salt not base64":   with(4, "****************"),
		"long salt":         with(4, strings.Repeat("A", 88)),
		"no sum":            with(5, ""),
		"short sum":         with(5, "AAAA"),
		"padded sum":        good + "=",
		"line break":        good + "\n",
		"long":              good + strings.Repeat("A", 1<<20),
		"more parts":        good + "$",
	} {
		if _, err := parse(text); err == nil {
			t.Errorf("%s is read: %.80s", name, text)
		}
		if ok, stale := cheap.Verify(text, "word"); ok || stale {
			t.Errorf("%s: ok %v, stale %v", name, ok, stale)
		}
	}
}

// Checking a person who does not exist, or one with an unreadable hash, must cost as much as any other check. Memory
// can be compared exactly: it is the main cost of argon2, and drops to almost nothing if the code takes a shortcut.
func TestUnknownPersonCostsAsMuchAsKnownPerson(t *testing.T) {
	text := recommended.Hash(rand.Reader, "word")
	spent := func(do func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	somebody := spent(func() { recommended.Verify(text, "other") })
	for name, cost := range map[string]uint64{
		"Burn":            spent(func() { recommended.Burn("other") }),
		"no text":         spent(func() { recommended.Verify("", "other") }),
		"unreadable text": spent(func() { recommended.Verify("$argon2id$", "other") }),
	} {
		if cost < memory<<10 || cost > somebody+somebody/100 || somebody > cost+cost/100 {
			t.Errorf("%s takes %d bytes, a real one %d", name, cost, somebody)
		}
	}
}

func TestFailingRandomnessCausesPanic(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a hash was created without randomness")
		}
	}()
	recommended.Hash(iotest.ErrReader(errors.New("empty")), "word")
}

func FuzzParse(f *testing.F) {
	f.Add("$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2E$c29tZXNhbHRzb21lc2Fzb21lc2FsdHNvbWVzYWFhYWE")
	f.Add("$argon2id$v=19$m=4294967295,t=10,p=255$$")
	f.Add("$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAA$\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parse(text)
		if err != nil {
			return
		}
		if s.memory > maxMemory || s.passes > maxPasses || s.passes < 1 || s.lanes < 1 || s.lanes > maxLanes ||
			s.memory < minLane*uint32(s.lanes) ||
			len(s.salt) > maxSalt || len(s.salt) < minSalt || len(s.sum) > maxSum || len(s.sum) < minSum {
			t.Fatalf("out of bounds: %+v", s)
		}
		if s.String() != text {
			t.Fatalf("%q is written as %q", text, s)
		}
		if s.memory <= 1024 { // the library accepts what the parser accepts
			argon2.IDKey(nil, s.salt, 1, s.memory, s.lanes, uint32(len(s.sum)))
		}
	})
}
