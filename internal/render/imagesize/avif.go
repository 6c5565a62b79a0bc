package imagesize

import "encoding/binary"

// isAVIF checks the brand at the start.
func isAVIF(head []byte) bool {
	return len(head) >= 12 && string(head[4:8]) == "ftyp" &&
		(string(head[8:12]) == "avif" || string(head[8:12]) == "avis")
}

// parseAVIF finds the list of properties, meta/iprp/ipco, and takes the largest size in it: a picture of tiles has
// theirs there, too.
//
//	box = length(4, itself included) name(4) bytes     meta has four more bytes before its boxes
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
			turned = body[0]&1 != 0 // in quarters
		case name == "clap": // a part of the picture
			return 0, 0, false
		}
		list = rest
	}
	if turned {
		w, h = h, w
	}
	return sides(w, h)
}

// find returns the content of the first box of a name; nil when there is none, or not all of it.
func find(boxes []byte, want string) []byte {
	for {
		name, body, rest, ok := box(boxes)
		if !ok || name == want {
			return body
		}
		boxes = rest
	}
}

// box takes the first box off; ok is false at the end. Boxes of 4 GiB and more, and those up to the end of the file,
// hold no properties.
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
