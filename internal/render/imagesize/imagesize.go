package imagesize

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
)

// maxSide bounds a side in pixels: no page shows more, and what claims more is not believed.
const maxSide = 1<<16 - 1

// steps are how much of a file is read before the next look, in bytes. Most formats tell in the first bytes; a JPEG may
// hold a preview and a colour profile before it does.
var steps = [...]int{4 << 10, 64 << 10, 256 << 10}

// Read looks at the head of a file. ok is false for what is no picture, or an image of unknown size.
func Read(r io.Reader) (width, height int, ok bool) {
	var head []byte
	for _, size := range steps {
		have := len(head)
		head = append(make([]byte, 0, size), head...)[:size]
		n, err := io.ReadFull(r, head[have:])
		head = head[:have+n]
		if width, height, ok = Parse(head); ok || err != nil || !wantsMore(head) {
			return width, height, ok
		}
	}
	return 0, 0, false
}

// wantsMore reports whether a format may store its size later than at the start.
func wantsMore(head []byte) bool {
	return bytes.HasPrefix(head, jpegStart) || isAVIF(head) || isText(head)
}

// Parse finds a picture's size in the first bytes of its file. ok is false when they do not contain it.
func Parse(head []byte) (width, height int, ok bool) {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return parsePNG(head)
	case bytes.HasPrefix(head, []byte("GIF87a")), bytes.HasPrefix(head, []byte("GIF89a")):
		if len(head) < 10 {
			return 0, 0, false
		}
		return sides(uint32(binary.LittleEndian.Uint16(head[6:])), uint32(binary.LittleEndian.Uint16(head[8:])))
	case bytes.HasPrefix(head, jpegStart):
		return parseJPEG(head)
	case len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP":
		return parseWebP(head)
	case isAVIF(head):
		return parseAVIF(head)
	case isText(head):
		return parseSVG(head)
	}
	return 0, 0, false
}

func parsePNG(head []byte) (width, height int, ok bool) {
	if len(head) < 24 || string(head[12:16]) != "IHDR" {
		return 0, 0, false
	}
	return sides(binary.BigEndian.Uint32(head[16:]), binary.BigEndian.Uint32(head[20:]))
}

func sides(width, height uint32) (int, int, bool) {
	if width == 0 || height == 0 || width > maxSide || height > maxSide {
		return 0, 0, false
	}
	return int(width), int(height), true
}

// rounded makes whole pixels of a drawing's sides.
func rounded(width, height float64) (int, int, bool) {
	if width, height = math.Round(width), math.Round(height); width >= 1 && width <= maxSide && height >= 1 &&
		height <= maxSide {
		return int(width), int(height), true
	}
	return 0, 0, false // also what is not a number
}
