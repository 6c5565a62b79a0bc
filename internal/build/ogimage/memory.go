package ogimage

import (
	"crypto/sha256"
	"sync"
)

// memoryMax bounds the cards that are kept for the next build of a site, in bytes: some three thousand.
const memoryMax = 32 << 20

// digest stands for everything that a card is made from.
type digest [sha256.Size]byte

// memory keeps cards that were drawn: most pages of a site say the same in its next build. The oldest go first. The zero value is
// ready; it is safe for concurrent use.
type memory struct {
	mu    sync.Mutex
	cards map[digest][]byte
	order []digest // the oldest first
	bytes int
}

func (m *memory) find(key digest) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cards[key]
}

func (m *memory) keep(key digest, card []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cards == nil {
		m.cards = map[digest][]byte{}
	}
	if m.cards[key] != nil || len(card) > memoryMax {
		return
	}
	m.cards[key] = card
	m.order = append(m.order, key)
	m.bytes += len(card)
	for m.bytes > memoryMax {
		m.bytes -= len(m.cards[m.order[0]])
		delete(m.cards, m.order[0])
		m.order = m.order[1:]
	}
}

// key is the digest of a card of this maker.
func (m *Maker) key(t Text) digest {
	h := sha256.New()
	h.Write(m.look[:])
	for _, s := range []string{t.Section, t.Title, t.Description} {
		h.Write([]byte(s))
		h.Write([]byte{0xff}) // no text has this byte
	}
	return digest(h.Sum(nil))
}

// seal takes the digest of what all cards of a maker share. A title that cannot be drawn gives way to the name, so it counts too.
func (m *Maker) seal() {
	h := sha256.New()
	h.Write([]byte(m.name + "\xff"))
	h.Write(m.palette)
	if m.photo != nil {
		h.Write(m.photo.img.Pix)
		for _, c := range m.photo.ink {
			b := c.Bytes()
			h.Write(b[:])
		}
	} else {
		h.Write(m.base.pix)
	}
	m.look = digest(h.Sum(nil))
}
