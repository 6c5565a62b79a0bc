package llm

// Key opens a model's server. It prints as [key] however it is printed, also from inside other values. The zero value
// is no key.
type Key struct{ reveal func() string }

// NewKey wraps a key; "" means no key.
func NewKey(s string) Key {
	if s == "" {
		return Key{}
	}
	return Key{reveal: func() string { return s }}
}

// Reveal returns the key itself, for the request that needs it, or "".
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
