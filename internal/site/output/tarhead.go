package output

import (
	"archive/tar"
	"bytes"
	"fmt"
)

// tarHead appends the header of an entry. It writes the plain form itself. The plain form is enough for most entries,
// and this saves some microseconds. For all other entries it uses the standard library, which supports every name and
// size. In both cases the bytes are the same as the library's.
func tarHead(out *bytes.Buffer, name string, size int64) error {
	if len(name) <= tarName && size < 1<<33 && ascii(name) {
		plainHead(out, name, size)
		return nil
	}
	h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644, ModTime: epoch}
	if err := tar.NewWriter(out).WriteHeader(h); err != nil { // a separate writer, because it does not write contents
		return fmt.Errorf("write tar entry: %w", err)
	}
	return nil
}

// tarName is the maximum length of a name in a plain header, in bytes.
const tarName = 100

// plainHead writes a header in the format of POSIX.1-1988 (ustar).
func plainHead(out *bytes.Buffer, name string, size int64) {
	var h [tarBlock]byte
	copy(h[0:], name)
	copy(h[100:], "0000644\x000000000\x000000000\x00") // mode, user, group
	octal(h[124:135], size)
	octal(h[136:147], epoch.Unix())
	copy(h[148:], "        ") // while the checksum is computed, its own field counts as spaces
	h[156] = tar.TypeReg
	copy(h[257:], "ustar\x0000")
	copy(h[329:], "0000000\x000000000\x00") // device
	var sum int64
	for _, c := range h {
		sum += int64(c)
	}
	octal(h[148:154], sum)
	h[154] = 0
	out.Write(h[:])
}

// octal fills the field with octal digits.
func octal(field []byte, v int64) {
	for i := len(field) - 1; i >= 0; i-- {
		field[i] = '0' + byte(v&7)
		v >>= 3
	}
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
