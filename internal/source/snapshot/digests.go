package snapshot

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"strings"
)

// digestsFile lists the contents of a stored source: one line for each file, with its SHA-256 in hex, the driver's key
// or "-", and its path. An update takes over the files whose keys have not changed. No source has a file with this
// name, because snapshots leave out .git folders.
const digestsFile = ".git/digests"

// maxDigests limits the size of that file, in bytes.
const maxDigests = maxOwnFile

// checksumForm is the archive's comment: the number of bytes before the end record, and their CRC-32C. It shows
// whether the archive is damaged, so that an update does not take over damaged files again and again.
const checksumForm = "lectern %d %08x"

// checksum computes the number and the CRC-32C of the bytes written to it.
type checksum struct {
	size int64
	crc  uint32
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (c *checksum) Write(p []byte) (int, error) {
	c.size += int64(len(p))
	c.crc = crc32.Update(c.crc, castagnoli, p)
	return len(p), nil
}

func appendDigest(list []byte, p string, is content) []byte {
	key := is.key
	if key == "" {
		key = "-"
	}
	return fmt.Appendf(list, "%x %s %s\n", is.sum, key, p)
}

// intact reports whether an archive has a checksum in its comment that matches.
func intact(archive io.ReaderAt, comment string) bool {
	var want, is checksum
	if n, err := fmt.Sscanf(comment, checksumForm, &want.size, &want.crc); n != 2 || err != nil {
		return false
	}
	_, err := io.Copy(&is, io.NewSectionReader(archive, 0, want.size))
	return err == nil && is == want
}

// parseDigests parses the content of digestsFile. It returns nil if it is damaged.
func parseDigests(list []byte) map[string]content {
	out := make(map[string]content, bytes.Count(list, []byte("\n")))
	for line := range strings.Lines(string(list)) {
		p, one, ok := parseDigest(strings.TrimSuffix(line, "\n"))
		if !ok {
			return nil
		}
		out[p] = one
	}
	maps.DeleteFunc(out, func(_ string, is content) bool { return is.sum == content{}.sum })
	return out
}

func parseDigest(line string) (p string, is content, ok bool) {
	sum, rest, _ := strings.Cut(line, " ")
	key, p, ok := strings.Cut(rest, " ")
	if !ok || len(sum) != hex.EncodedLen(len(is.sum)) {
		return "", is, false
	}
	if _, err := hex.Decode(is.sum[:], []byte(sum)); err != nil {
		return "", is, false
	}
	if key != "-" {
		is.key = key
	}
	return p, is, true
}
