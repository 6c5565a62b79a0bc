package build

// Cache stores results of builds. A key is a digest of everything that its value depends on. A cache may drop entries
// at any time, but never returns a value other than the one stored. It is safe for concurrent use.
type Cache interface {
	// Get returns a value that the caller owns.
	Get(key [32]byte) (value []byte, ok bool)
	// Put replaces an earlier value. It does not keep a reference to the slice.
	Put(key [32]byte, value []byte)
}
