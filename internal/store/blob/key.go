package blob

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Grammar of a key, at most 512 bytes:
//
//	key   = piece *( "/" piece )
//	piece = 1*255( ALPHA / DIGIT / "." / "_" / "-" )   ; but not "." or ".."
//
// Every byte of a key is plain in a URL path and in a file name, so a key
// needs no escaping anywhere.
const (
	maxKey   = 512 // bytes
	maxPiece = 255 // bytes; the usual limit on the length of a file name
)

// ValidKey reports whether key follows the grammar above.
func ValidKey(key string) bool {
	if len(key) > maxKey {
		return false
	}
	for piece := range strings.SplitSeq(key, "/") {
		if piece == "" || piece == "." || piece == ".." || !plain(piece) {
			return false
		}
	}
	return true
}

// CheckKey returns an Invalid fault with the code "bad_blob_key" if ValidKey rejects the key.
func CheckKey(key string) error {
	if ValidKey(key) {
		return nil
	}
	return fault.New(fault.Invalid, "bad_blob_key", "The name of the stored object is not valid.")
}

// CheckPrefix returns an Invalid fault with the code "bad_blob_key" if no valid key can start with the prefix.
func CheckPrefix(prefix string) error {
	folder, last := "", prefix
	if slash := strings.LastIndexByte(prefix, '/'); slash >= 0 {
		folder, last = prefix[:slash], prefix[slash+1:]
		if err := CheckKey(folder); err != nil {
			return err
		}
	}
	if len(prefix) > maxKey || !plain(last) {
		return CheckKey("")
	}
	return nil
}

// plain reports whether piece is short enough and consists of permitted bytes.
func plain(piece string) bool {
	if len(piece) > maxPiece {
		return false
	}
	for i := range len(piece) {
		c := piece[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}
