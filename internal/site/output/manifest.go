package output

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
)

// ManifestPath is the path of the list of files in a tree. SignaturePath is the path of the list's signature, if there
// is one. The list contains neither of them.
const (
	ManifestPath  = "manifest.json"
	SignaturePath = "manifest.sig"
)

// ManifestFormat is the format version that this program writes and reads.
const ManifestFormat = 1

// Manifest is the list of a tree's files, with the caller's metadata.
type Manifest struct {
	Format   int            `json:"format"`
	Tool     string         `json:"tool"`             // version of the program that created the tree
	Version  string         `json:"version"`          // label for the content; "" if it has none
	Commit   string         `json:"commit"`           // commit of the source; "" if unknown
	Pages    int            `json:"pages"`            // number of pages among the files; 0 = from an older program
	Features []string       `json:"features"`         // features of the tree, such as "search"; sorted
	Groups   []string       `json:"groups,omitempty"` // groups whose readers may access the tree; sorted; nil = none
	TreeHash string         `json:"treeHash"`         // digest of all files; see TreeHash
	Files    []ManifestFile `json:"files"`            // sorted by path
}

// ManifestFile is one file of a Manifest.
type ManifestFile struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"` // bytes
	SHA256 Digest `json:"sha256"`
	Type   string `json:"type"` // media type
}

// Digest is a SHA-256, encoded as 64 lower-case hex digits.
type Digest [sha256.Size]byte

// String returns the digest in hex.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MarshalText implements encoding.TextMarshaler.
func (d Digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

// UnmarshalText accepts only lower-case digits, so that each digest has exactly one encoding.
func (d *Digest) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(d)) {
		return fmt.Errorf("read digest: %d digits instead of %d", len(text), hex.EncodedLen(len(d)))
	}
	for _, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return fmt.Errorf("read digest: %q is not a hex digit", c)
		}
	}
	_, err := hex.Decode(d[:], text)
	return err
}

// Hash returns the digest of the tree that m lists: SHA-256 over "path NUL hex-digest LF", ordered by path.
func (m Manifest) Hash() string {
	t := newTreeHash()
	for _, f := range m.Files {
		addTo(t, f.Path, f.SHA256)
	}
	return t.sum()
}

// treeHash computes the digest of a tree.
type treeHash struct {
	hash.Hash
	line []byte // reused
}

func newTreeHash() *treeHash { return &treeHash{Hash: sha256.New()} }

// addTo adds a file. Files must be added in the order of their paths.
func addTo[P string | []byte](t *treeHash, path P, sum [sha256.Size]byte) {
	t.line = append(append(t.line[:0], path...), 0)
	t.line = append(hex.AppendEncode(t.line, sum[:]), '\n')
	_, _ = t.Write(t.line) // writing to a hash never fails
}

func (t *treeHash) sum() string { return hex.EncodeToString(t.Sum(nil)) }
