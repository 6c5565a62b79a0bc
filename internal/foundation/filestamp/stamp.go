package filestamp

import (
	"encoding/binary"
	"time"
)

// Stamp identifies one version of a file.
type Stamp struct {
	device, number uint64
	size           int64
	modified       int64 // nanoseconds since 1970, like changed
	changed        int64
}

// stampSize is the size of a stamp in a record, in bytes.
const stampSize = 40

// How long a file must be unchanged before its stamp can be trusted. The clock from which the kernel takes file times
// advances every 1 to 10 ms, and some file systems only store whole seconds.
const (
	Settle       = 20 * time.Millisecond
	settleCoarse = 2 * time.Second
)

// Settled reports whether any change after now will give the file a different stamp, because the clock has passed the
// time of the file's last change.
func (s Stamp) Settled(now time.Time) bool {
	return s.changed+int64(s.pause()) <= now.UnixNano()
}

// pause returns how long after the file's last change its stamp is settled.
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

// readStamp decodes a stamp encoded by append.
func readStamp(s string) Stamp {
	b := []byte(s[:stampSize])
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	return Stamp{at(0), at(1), int64(at(2)), int64(at(3)), int64(at(4))}
}
