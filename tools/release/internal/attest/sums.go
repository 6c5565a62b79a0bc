package attest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Sums maps file names to SHA-256 digests in hexadecimal.
type Sums map[string]string

// Of computes the digests of files.
func Of(files map[string][]byte) Sums {
	out := Sums{}
	for name, body := range files {
		sum := sha256.Sum256(body)
		out[name] = hex.EncodeToString(sum[:])
	}
	return out
}

// String formats the list like sha256sum.
func (s Sums) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(&b, "%s  %s\n", s[name], name)
	}
	return b.String()
}

// ParseSums parses a list in this format:
//
//	sums = { digest "  " name "\n" }
//
// Names are plain file names. Anything else, and duplicate names, are rejected: an ambiguous list proves nothing.
func ParseSums(text string) (Sums, error) {
	out := Sums{}
	body, ok := strings.CutSuffix(text, "\n")
	if !ok {
		return nil, errors.New("read checksums: the last line is incomplete")
	}
	for line := range strings.SplitSeq(body, "\n") {
		digest, name, ok := strings.Cut(line, "  ")
		if raw, err := hex.DecodeString(digest); !ok || err != nil || len(raw) != sha256.Size ||
			strings.ToLower(digest) != digest {
			return nil, fmt.Errorf("read checksums: %q is not a valid line", line)
		}
		if name == "" || name == "." || name == ".." || filepath.Base(name) != name ||
			strings.ContainsAny(name, "\\\x00\r") {
			return nil, fmt.Errorf("read checksums: %q is not a file name", name)
		}
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("read checksums: %s appears twice", name)
		}
		out[name] = digest
	}
	return out, nil
}
