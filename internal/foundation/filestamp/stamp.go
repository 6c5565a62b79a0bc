package filestamp

import (
	"encoding/binary"
	"time"
)

// Stamp identifies one version of a file.
type Stamp struct {
	device, number uint64
	size           int64
	modified       int64 // nanoseconds since 1970, as is changed
	changed        int64
}

// stampSize is that of a stamp in a record, in bytes.
const stampSize = 40

// How long a file must not have changed before its stamp can be kept. The kernel takes times from a clock that
// advances every 1 to 10 ms, and some file systems keep whole seconds.
const (
	Settle       = 20 * time.Millisecond
	settleCoarse = 2 * time.Second
)

// Settled reports whether any change after now gives the file another stamp: the clock has passed the time of its last
// change.
func (s Stamp) Settled(now time.Time) bool {
	return s.changed+int64(s.pause()) <= now.UnixNano()
}

// pause is how long after the file's last change its stamp is settled.
func (s Stamp) pause() time.Duration {
	if s.changed%int64(time.Second) == 0 {
		return settleCoarse
	}
	return Settle
}

func (s Stamp) append(to []byte) []byte {
	for _, v := range []uint64{s.device, s.number, uint64(s.size), uint64(s.modified), uint64(s.changed)} {
		to = binary.LittleEndian.AppendUint64(to, v)
	}
	return to
}

// readStamp reads what append wrote.
func readStamp(b []byte) Stamp {
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	return Stamp{at(0), at(1), int64(at(2)), int64(at(3)), int64(at(4))}
}
