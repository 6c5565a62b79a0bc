package llm

// Key is the API key of a model's server. It always prints as [key], even inside other values. The zero value means
// no key.
type Key struct{ reveal func() string }

// NewKey wraps a key; "" means no key.
func NewKey(s string) Key {
	if s == "" {
		return Key{}
	}
	return Key{reveal: func() string { return s }}
}

// Reveal returns the actual key for a request, or "".
func (k Key) Reveal() string {
	if k.reveal == nil {
		return ""
	}
	return k.reveal()
}

// String hides the key.
func (k Key) String() string { return "[key]" }

// GoString hides the key.
func (k Key) GoString() string { return "[key]" }

// MarshalText hides the key.
func (k Key) MarshalText() ([]byte, error) { return []byte("[key]"), nil }
