package output

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"hash/crc32"
	"runtime"
)

// Packer packs content while it is written, for content that is too large for memory. Several goroutines deflate the
// pieces; the result does not depend on how many. A Packer that is not closed does not leak resources.
type Packer struct {
	sum   hash.Hash
	crc   uint32
	size  int64
	block []byte   // data that is not being deflated yet
	run   []*piece // pieces in progress, oldest first
	spare []*piece
	limit int // maximum number of pieces in progress
	out   []byte
}

// piece is a part of the content in progress.
type piece struct {
	plain, packed []byte
	done          chan struct{} // receives one value each time the piece has been deflated
}

// NewPacker returns a Packer for the content of one file.
func NewPacker() *Packer { return &Packer{sum: sha256.New(), limit: runtime.GOMAXPROCS(0)} }

// Write appends to the content. It never fails.
func (p *Packer) Write(data []byte) (int, error) {
	p.sum.Write(data)
	p.crc = crc32.Update(p.crc, crc32.IEEETable, data)
	p.size += int64(len(data))
	for rest := data; len(rest) > 0; {
		if p.block == nil {
			p.block = make([]byte, 0, packBlock)
		}
		n := min(len(rest), packBlock-len(p.block))
		p.block = append(p.block, rest[:n]...)
		if rest = rest[n:]; len(p.block) == packBlock {
			p.block = p.start(p.block)[:0]
		}
	}
	return len(data), nil
}

// Append appends data for which the output of Deflate is known. The data gets its own pieces.
func (p *Packer) Append(data, deflated []byte) {
	if len(p.block) > 0 {
		p.block = p.start(p.block)[:0]
	}
	for len(p.run) > 0 {
		p.collect()
	}
	p.sum.Write(data)
	p.crc = crc32.Update(p.crc, crc32.IEEETable, data)
	p.size += int64(len(data))
	p.out = append(p.out, deflated...)
}

// Close returns the packed content. The original data is no longer available, so the result always has a deflated form,
// even if that is not smaller.
func (p *Packer) Close() *Packed {
	if len(p.block) > 0 {
		p.start(p.block)
	}
	for len(p.run) > 0 {
		p.collect()
	}
	return &Packed{Size: p.size, SHA256: [sha256.Size]byte(p.sum.Sum(nil)), CRC32: p.crc, Deflated: p.out}
}

// start deflates a block in the background and returns a free block. The caller must not change the block that it
// passed.
func (p *Packer) start(block []byte) (free []byte) {
	for len(p.run) >= p.limit {
		p.collect()
	}
	s := &piece{done: make(chan struct{}, 1)}
	if n := len(p.spare); n > 0 {
		s, p.spare = p.spare[n-1], p.spare[:n-1]
	}
	free, s.plain = s.plain, block
	p.run = append(p.run, s)
	go func() {
		d := deflaters.Get().(*deflater)
		s.packed = append(s.packed[:0], d.deflate(s.plain)...)
		deflaters.Put(d)
		s.done <- struct{}{}
	}()
	return free
}

// collect waits for the oldest piece in progress.
func (p *Packer) collect() {
	s := p.run[0]
	<-s.done
	p.out = append(p.out, s.packed...)
	p.run = append(p.run[:0], p.run[1:]...)
	p.spare = append(p.spare, s)
}

// Deflate returns data in the deflated form that a Packer uses.
func Deflate(data []byte) (out []byte) {
	d := deflaters.Get().(*deflater)
	for at := 0; at < len(data); at += packBlock {
		out = append(out, d.deflate(data[at:min(at+packBlock, len(data))])...)
	}
	deflaters.Put(d)
	return out
}

// packLarge packs data in memory without copying it.
func packLarge(data []byte) *Packed {
	sums := make(chan *Packed, 1)
	go func() { sums <- Digested(data) }()
	p := NewPacker()
	for at := 0; at < len(data); at += packBlock {
		p.start(data[at:min(at+packBlock, len(data))])
	}
	for len(p.run) > 0 {
		p.collect()
	}
	out := <-sums
	if len(p.out) < len(data) {
		out.Deflated = bytes.Clone(p.out)
	}
	return out
}
