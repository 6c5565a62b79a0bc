package imagesize

import "encoding/binary"

// parseWebP reads the first chunk, which contains the size in all three variants of the format:
//
//	file = "RIFF" length(4) "WEBP" chunk*     chunk = name(4) length(4) bytes
func parseWebP(head []byte) (width, height int, ok bool) {
	if len(head) < 30 {
		return 0, 0, false
	}
	body := head[20:]
	switch string(head[12:16]) {
	case "VP8 ":
		if body[3] != 0x9d || body[4] != 0x01 || body[5] != 0x2a {
			return 0, 0, false
		}
		const low14 = 1<<14 - 1 // the upper two bits are a scale, which decoders ignore
		return sides(uint32(binary.LittleEndian.Uint16(body[6:]))&low14,
			uint32(binary.LittleEndian.Uint16(body[8:]))&low14)
	case "VP8L":
		if body[0] != 0x2f {
			return 0, 0, false
		}
		bits := binary.LittleEndian.Uint32(body[1:])
		return sides(bits&(1<<14-1)+1, bits>>14&(1<<14-1)+1)
	case "VP8X":
		const hasEXIF = 0x08 // the EXIF data is at the end of the file, and may rotate the image
		if body[0]&hasEXIF != 0 {
			return 0, 0, false
		}
		return sides(uint24(body[4:])+1, uint24(body[7:])+1)
	}
	return 0, 0, false
}

func uint24(b []byte) uint32 { return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 }
