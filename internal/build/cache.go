package build

// Cache keeps what builds made, by a key that names everything it depends on. It may forget anything at any time, and what it returns is
// what was put. It is safe for concurrent use.
type Cache interface {
	// Get returns a value that is the caller's.
	Get(key [32]byte) (value []byte, ok bool)
	// Put takes the place of what was put before. It does not keep the value's memory.
	Put(key [32]byte, value []byte)
}
