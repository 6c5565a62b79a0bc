package searchindex

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"testing"
)

// A forged record of an earlier index results in no index or in an index that can be stored again, but never in a
// panic.
func FuzzPastRecord(f *testing.F) {
	p := past{segments: make([][32]byte, 2), shards: []*pastShard{
		{size: 900, words: []listed{{"webhook", 3}, {"webinar", 8}}}, {start: "zebra", first: "z", size: 70}}}
	for i := range 20 {
		f.Add(p.record()[4:], uint16(i*9), []byte{byte(i), 0xFF, 0x80, 1}[:i%4])
	}
	f.Fuzz(func(t *testing.T, body []byte, at uint16, with []byte) {
		body = bytes.Clone(body)
		copy(body[int(at)%(len(body)+1):], with)
		read, ok := readPast(append(binary.LittleEndian.AppendUint32(nil, checksum(body)), body...))
		if !ok {
			return
		}
		again, ok := readPast(read.record())
		if read.data, again.data = nil, nil; !ok || !reflect.DeepEqual(again, read) {
			t.Errorf("%v became %v", read, again)
		}
	})
}

// The record of an earlier index is read as it was written, and any damage is detected.
func TestPastRecordRoundTrips(t *testing.T) {
	p := &past{segments: [][32]byte{{1}, {2}}, shards: []*pastShard{
		{size: 900, sum: [32]byte{3}, words: []listed{{"bär", 1}, {"bären", 3}, {"bö", 8}}},
		{start: "zebra", first: "z", size: 70}}}
	data := p.record()
	read, ok := readPast(data)
	if p.data = data; !ok || !reflect.DeepEqual(read, p) {
		t.Errorf("%v is read as %v", p, read)
	}
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 1 << (i % 8)
		_, changed := readPast(bad)
		if _, short := readPast(data[:i]); changed || short {
			t.Errorf("damage at byte %d is not detected", i)
		}
	}
}
