package imagesize

import "encoding/binary"

// isAVIF checks the brand at the start of the file.
func isAVIF(head []byte) bool {
	return len(head) >= 12 && string(head[4:8]) == "ftyp" &&
		(string(head[8:12]) == "avif" || string(head[8:12]) == "avis")
}

// parseAVIF finds the list of properties, meta/iprp/ipco, and returns the largest size in it. For an image made of
// tiles, the list also contains the sizes of the tiles.
//
//	box = length(4, including itself) name(4) bytes     meta has four more bytes before its boxes
func parseAVIF(head []byte) (width, height int, ok bool) {
	meta := find(head, "meta")
	if len(meta) < 4 {
		return 0, 0, false
	}
	list := find(find(meta[4:], "iprp"), "ipco")
	var w, h uint32
	turned := false
	for {
		name, body, rest, ok := box(list)
		if !ok {
			break
		}
		switch {
		case name == "ispe" && len(body) >= 12:
			bw, bh := binary.BigEndian.Uint32(body[4:]), binary.BigEndian.Uint32(body[8:])
			if uint64(bw)*uint64(bh) > uint64(w)*uint64(h) {
				w, h = bw, bh
			}
		case name == "irot" && len(body) >= 1:
			turned = body[0]&1 != 0 // in quarter turns
		case name == "clap": // a crop of the image
			return 0, 0, false
		}
		list = rest
	}
	if turned {
		w, h = h, w
	}
	return sides(w, h)
}

// find returns the content of the first box with a name, or nil if it does not exist or is incomplete.
func find(boxes []byte, want string) []byte {
	for {
		name, body, rest, ok := box(boxes)
		if !ok || name == want {
			return body
		}
		boxes = rest
	}
}

// box returns the first box. ok is false at the end. It ignores boxes of 4 GiB or more and boxes that extend to the end
// of the file, because neither contain properties.
func box(b []byte) (name string, body, rest []byte, ok bool) {
	if len(b) < 8 {
		return "", nil, nil, false
	}
	size := uint64(binary.BigEndian.Uint32(b))
	if size < 8 || size > uint64(len(b)) {
		return "", nil, nil, false
	}
	return string(b[4:8]), b[8:size], b[size:], true
}
