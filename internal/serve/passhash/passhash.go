package passhash

import (
	"crypto/subtle"
	"fmt"
	"io"

	"golang.org/x/crypto/argon2"
)

// Default cost of a new hash, from OWASP's password storage cheat sheet. Raising a value makes older hashes stale,
// see Verify.
const (
	memory  = 19 << 10 // KiB
	passes  = 2
	lanes   = 1
	saltLen = 16
	sumLen  = 32
)

// Cost is the work of hashing one password. The zero Cost is the one recommended by OWASP; tests that hash hundreds
// of passwords use a lower one.
type Cost struct {
	Memory uint32 // KiB; 0 = recommended
	Passes uint32 // 0 = recommended
}

func (c Cost) resolve() Cost {
	if c.Memory == 0 {
		c.Memory = memory
	}
	if c.Passes == 0 {
		c.Passes = passes
	}
	return c
}

// Hash returns the hash to store for a password, with a salt from rand (crypto/rand.Reader in production). It panics
// if rand fails, because there is no safe way to continue.
func (c Cost) Hash(rand io.Reader, password string) string {
	c = c.resolve()
	s := sealed{memory: c.Memory, passes: c.Passes, lanes: lanes, salt: make([]byte, saltLen)}
	if _, err := io.ReadFull(rand, s.salt); err != nil {
		panic(fmt.Sprintf("passhash: read randomness: %v", err))
	}
	s.sum = argon2.IDKey([]byte(password), s.salt, s.passes, s.memory, s.lanes, sumLen)
	return s.String()
}

// Verify reports whether the password matches a hash from Hash. stale is true if it matches but the hash is cheaper
// than Hash would make it: the caller, who has the password at this moment, should then store a new hash. An
// unreadable hash, such as the empty one of a person without a password, never matches, and takes as long to check as
// a wrong password.
func (c Cost) Verify(encoded, password string) (ok, stale bool) {
	s, err := parse(encoded)
	if err != nil {
		c.Burn(password)
		return false, false
	}
	sum := argon2.IDKey([]byte(password), s.salt, s.passes, s.memory, s.lanes, uint32(len(s.sum)))
	if subtle.ConstantTimeCompare(sum, s.sum) != 1 {
		return false, false
	}
	c = c.resolve()
	return true, s.memory < c.Memory || s.passes < c.Passes || len(s.salt) < saltLen || len(s.sum) < sumLen
}

// Burn does the same work as Verify for a person who does not exist, so that the response time does not reveal who
// does.
func (c Cost) Burn(password string) {
	c = c.resolve()
	argon2.IDKey([]byte(password), make([]byte, saltLen), c.Passes, c.Memory, lanes, sumLen)
}

// Valid reports whether Verify can use an encoded hash.
func Valid(encoded string) bool {
	_, err := parse(encoded)
	return err == nil
}
