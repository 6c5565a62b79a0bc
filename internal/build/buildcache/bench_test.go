package buildcache

import (
	"testing"
	"time"
)

const benchRecords, benchSize = 25_000, 8 << 10

func benchKeys(n int) [][32]byte {
	keys := make([][32]byte, n)
	for i := range keys {
		keys[i] = keyOf("bench", i)
	}
	return keys
}

func BenchmarkGet(b *testing.B) {
	s := openStore(b, b.TempDir(), 0, time.Now)
	keys, value := benchKeys(benchRecords), make([]byte, benchSize)
	n := s.Begin()
	for _, k := range keys {
		n.Put(k, value)
	}
	n.Close()
	n = s.Begin()
	defer n.Close()
	b.SetBytes(benchSize)
	i := 0
	for b.Loop() {
		if _, ok := n.Get(keys[i%benchRecords]); !ok {
			b.Fatal("missing")
		}
		i++
	}
}

func BenchmarkMiss(b *testing.B) {
	s := openStore(b, b.TempDir(), 0, time.Now)
	for range 3 {
		n := s.Begin()
		for _, k := range benchKeys(benchRecords) {
			n.Put(k, k[:])
		}
		n.Close()
	}
	keys := benchKeys(2 * benchRecords)[benchRecords:]
	n := s.Begin()
	defer n.Close()
	i := 0
	for b.Loop() {
		if _, ok := n.Get(keys[i%benchRecords]); ok {
			b.Fatal("found")
		}
		i++
	}
}

// BenchmarkPut stores 25,000 records, including Close.
func BenchmarkPut(b *testing.B) {
	keys, value := benchKeys(benchRecords), make([]byte, benchSize)
	for b.Loop() {
		b.StopTimer()
		s := openStore(b, b.TempDir(), 0, time.Now)
		b.StartTimer()
		n := s.Begin()
		for _, k := range keys {
			n.Put(k, value)
		}
		n.Close()
		b.StopTimer()
		if err := s.Clear(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkBegin opens ten packs of 60,000 records.
func BenchmarkBegin(b *testing.B) {
	dir := b.TempDir()
	for p := range 10 {
		s := openStore(b, dir, 0, time.Now)
		n := s.Begin()
		for i := range 60_000 {
			key := keyOf(p, i)
			n.Put(key, valueOf(key, 512)[:512])
		}
		n.Close()
	}
	s := openStore(b, dir, 0, time.Now)
	for b.Loop() {
		n := s.Begin()
		for _, h := range n.packs {
			s.release(h.pack)
		}
	}
}

func BenchmarkProgram(b *testing.B) {
	for b.Loop() {
		if _, err := runningProgram(); err != nil {
			b.Fatal(err)
		}
	}
}
