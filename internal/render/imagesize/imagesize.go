package imagesize

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
)

// maxSide limits the length of a side in pixels. Pages do not show larger images, and larger values are considered
// invalid.
const maxSide = 1<<16 - 1

// steps are the numbers of bytes to read before each attempt. Most formats store the size in the first bytes. In a
// JPEG, a preview and a colour profile may precede it.
var steps = [...]int{4 << 10, 64 << 10, 256 << 10}

// Read reads the size from the head of a file. ok is false if the file is not an image or its size is unknown.
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

// wantsMore reports whether a format may store its size after the first bytes.
func wantsMore(head []byte) bool {
	return bytes.HasPrefix(head, jpegStart) || isAVIF(head) || isText(head)
}

// Parse finds the size of an image in the first bytes of its file. ok is false if they do not contain it.
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

// rounded rounds the sides of a drawing to whole pixels.
func rounded(width, height float64) (int, int, bool) {
	if width, height = math.Round(width), math.Round(height); width >= 1 && width <= maxSide && height >= 1 &&
		height <= maxSide {
		return int(width), int(height), true
	}
	return 0, 0, false // also for NaN
}
