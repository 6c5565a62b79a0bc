package audience

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash/fnv"
	"net/netip"
	"time"
)

// Day is a day in UTC, as days since 1970-01-01.
type Day int64

// DayOf returns the day of a time.
func DayOf(t time.Time) Day {
	s := t.Unix()
	if s < 0 {
		return Day((s - 86399) / 86400)
	}
	return Day(s / 86400)
}

// Time returns the start of the day.
func (d Day) Time() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

// String formats the day like 2026-01-31.
func (d Day) String() string { return d.Time().Format(time.DateOnly) }

// SaltSize is the number of random bytes in a day's salt.
const SaltSize = 32

// Visitor returns a number that identifies a reader of one site during one day. It is derived from the network of the
// address (never from the full address) and from the day's salt. Once the salt is deleted, the number cannot be linked
// to a reader.
func Visitor(salt []byte, site string, from netip.Addr, agent string) (number [8]byte) {
	if len(salt) == 0 {
		return number
	}
	mac := hmac.New(sha256.New, salt)
	mac.Write([]byte(site))
	mac.Write([]byte{0})
	mac.Write([]byte(Network(from)))
	mac.Write([]byte{0})
	mac.Write([]byte(agent))
	copy(number[:], mac.Sum(nil))
	return number
}

// Network returns the part of an address that is used: the first 24 bits of an IPv4 address, or 48 bits of an IPv6
// address.
func Network(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	bits := 24
	if a.Is6() {
		bits = 48
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return ""
	}
	return p.Masked().String()
}

// Mark identifies a visitor on a page; path "" stands for the whole site. All processes compute the same mark.
type Mark int64

// MarkOf computes a mark. The visitor's number is already specific to a site and a day.
func MarkOf(visitor [8]byte, c Class, path string) Mark {
	h := fnv.New64a()
	_, _ = h.Write(visitor[:]) // writing to a hash never fails
	_, _ = h.Write([]byte(c))
	_, _ = h.Write([]byte{0})
	_, _ = h.Write([]byte(path))
	var sum [8]byte
	return Mark(binary.BigEndian.Uint64(h.Sum(sum[:0])))
}
