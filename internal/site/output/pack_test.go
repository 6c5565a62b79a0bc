package output

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// text returns content that compresses about as well as a page: sentences between repeated tags.
func text(r *rand.Rand, n int) []byte {
	words := strings.Fields(
		"the a page of documentation says how to run and link things together in lists which readers find " +
			"configuration server installation parameter request answer example token deploy build preview navigation component release")
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprintf(&b, `<li class="nav-item"><a href="../guides/section-%d/page-%d.html" data-level="2">`, r.IntN(40),
			r.IntN(400))
		for range 1 + r.IntN(12) {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		b.WriteString("</a></li>\n")
	}
	return b.Bytes()[:n]
}

func inflate(t *testing.T, piece []byte) []byte {
	t.Helper()
	out, err := io.ReadAll(flate.NewReader(io.MultiReader(bytes.NewReader(piece), strings.NewReader(finalBlock))))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPackedContentsRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, packFrom - 1, packFrom, 1000, packBlock - 1, packBlock, packBlock + 1,
		5*packBlock + 17} {
		data := text(r, n)
		f := File{Path: "a.html", ContentType: "text/html", Packed: Pack(data, "text/html")}
		if f.Packed.Deflated == nil {
			f.Data = data
			if n >= 1000 {
				t.Errorf("%d bytes are not deflated", n)
			}
		} else if !bytes.Equal(inflate(t, f.Packed.Deflated), data) {
			t.Errorf("%d bytes inflate to something else", n)
		}
		if got, err := f.Bytes(); err != nil || !bytes.Equal(got, data) || f.Size() != int64(n) ||
			f.Packed.CRC32 != crc32.ChecksumIEEE(data) {
			t.Errorf("%d bytes: %v", n, err)
		}
		o := f.Open()
		if got, err := io.ReadAll(o); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes as a stream: %v", n, err)
		}
		_ = o.Close()
	}
}

// B6: the packed form depends only on the content.
func TestPackingIsDeterministic(t *testing.T) {
	data := text(rand.New(rand.NewPCG(5, 6)), 3*packBlock+12345)
	want := Pack(data, "text/html")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, procs := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(procs)
		for _, step := range []int{1000, packBlock, packBlock + 1, len(data)} {
			p := NewPacker()
			for at := 0; at < len(data); at += step {
				if n, err := p.Write(data[at:min(at+step, len(data))]); err != nil || n == 0 {
					t.Fatal(n, err)
				}
			}
			got := p.Close()
			if !bytes.Equal(got.Deflated, want.Deflated) || got.SHA256 != want.SHA256 || got.CRC32 != want.CRC32 ||
				got.Size != want.Size {
				t.Errorf("GOMAXPROCS=%d, written in steps of %d: different bytes", procs, step)
			}
		}
		d := deflaters.New().(*deflater) // a fresh one
		if !bytes.Equal(d.deflate(data[:packBlock]), want.Deflated[:d.out.Len()]) {
			t.Error("a new compressor gives different bytes than a used one")
		}
	}
}

func TestPackerJoinsDeflatedParts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	var want []byte
	p := NewPacker()
	for _, size := range []int{10, packBlock + 5, 1, 3 * packBlock, 700} {
		part, loose := text(r, size), text(r, size/2)
		p.Append(part, Deflate(part))
		if _, err := p.Write(loose); err != nil {
			t.Fatal(err)
		}
		want = append(append(want, part...), loose...)
	}
	got := p.Close()
	data, err := got.Unpack() // checks the digest
	if err != nil || !bytes.Equal(data, want) || got.CRC32 != crc32.ChecksumIEEE(want) {
		t.Errorf("%d bytes instead of %d: %v", len(data), len(want), err)
	}
}

func TestEmptyStreamPacksToNothing(t *testing.T) {
	if p := NewPacker().Close(); p.Size != 0 || p.Deflated != nil || p.SHA256 != Pack(nil, "").SHA256 {
		t.Errorf("%+v", p)
	}
}

func TestDamagedPackedFileIsAnError(t *testing.T) {
	data := text(rand.New(rand.NewPCG(7, 8)), 20_000)
	good := Pack(data, "text/html")
	for i := 0; i < len(good.Deflated); i += 7 {
		bad := *good
		bad.Deflated = bytes.Clone(good.Deflated)
		bad.Deflated[i] ^= 0x10
		f := File{Packed: &bad}
		if got, err := f.Bytes(); err == nil && !bytes.Equal(got, data) {
			t.Fatalf("byte %d: served %d bytes", i, len(got))
		}
		o := f.Open()
		if got, err := io.ReadAll(o); err == nil && !bytes.Equal(got, data) {
			t.Fatalf("byte %d: streamed %d bytes", i, len(got))
		}
		_ = o.Close()
	}
	longer := *good
	longer.Size++
	if _, err := longer.Unpack(); err == nil {
		t.Error("served content with a wrong size")
	}
	if _, err := io.ReadAll(File{Packed: &longer}.Open()); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("streamed content with a wrong size: %v", err)
	}
}

func TestJoinedChecksumEqualsChecksumOfWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	data := make([]byte, 1<<20)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	s := newCRCShift()
	for range 500 {
		from := r.IntN(len(data))
		whole := data[from : from+r.IntN(len(data)-from)]
		cut := 0
		if len(whole) > 0 {
			cut = r.IntN(len(whole) + 1)
		}
		got := s.join(crc32.ChecksumIEEE(whole[:cut]), crc32.ChecksumIEEE(whole[cut:]), int64(len(whole)-cut))
		if want := crc32.ChecksumIEEE(whole); got != want {
			t.Fatalf("%d bytes cut at %d: %08x, want %08x", len(whole), cut, got, want)
		}
	}
	// Sizes above 4 GiB, where the powers repeat: compare zeros joined by doubling with zeros joined one block at a
	// time.
	zeros := crc32.ChecksumIEEE(make([]byte, 1<<20))
	double, size := zeros, int64(1<<20)
	for range 14 { // 16 GiB
		double, size = s.join(double, double, size), 2*size
	}
	stepped := zeros
	for range 1<<14 - 1 {
		stepped = s.join(stepped, zeros, 1<<20)
	}
	if double != stepped {
		t.Errorf("%08x and %08x for the same %d zeros", double, stepped, size)
	}
}

func TestRunsRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		var data []byte
		for range r.IntN(20) {
			data = append(data, bytes.Repeat([]byte{byte(r.Uint32())}, r.IntN(700))...)
		}
		if got := inflate(t, appendRuns(nil, data)); !bytes.Equal(got, data) {
			t.Fatalf("%x became %x", data, got)
		}
	}
}

func FuzzRuns(f *testing.F) {
	f.Add([]byte("abc"), []byte{0, 0, 0, 0, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		both := append(append([]byte{}, a...), b...)
		if got := inflate(t, appendRuns(appendRuns(nil, a), b)); !bytes.Equal(got, both) {
			t.Fatalf("%x became %x", both, got)
		}
	})
}

// counting is a sink with a fixed WantsPacked. It records whether the last file was compressed.
type counting struct{ wants, got bool }

func (c *counting) WantsPacked() bool { return c.wants }
func (c *counting) Put(_ context.Context, f File) error {
	c.got = f.Packed != nil && f.Packed.Deflated != nil
	return nil
}

func TestFilesArePackedOnlyIfNeeded(t *testing.T) {
	for _, wants := range []bool{false, true} {
		plain, c := &counting{}, &counting{wants: wants}
		l := NewLedger(Tee(plain, c), "")
		f := File{Path: "a.txt", ContentType: "text/plain", Data: bytes.Repeat([]byte("a"), 2*packFrom)}
		if err := l.Put(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if c.got != wants || l.WantsPacked() != wants {
			t.Errorf("wants %v, got %v", wants, c.got)
		}
	}
	if !WantsPacked(NewZip(io.Discard)) || !WantsPacked(NewTarGz(io.Discard)) || WantsPacked(NewDir(nil)) {
		t.Error("archives want packed files, folders do not")
	}
}

func BenchmarkPack(b *testing.B) {
	for _, size := range []int{20_000, 8 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			data := text(rand.New(rand.NewPCG(1, 1)), size)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				Pack(data, "text/html")
			}
		})
	}
}

// BenchmarkArchivePut writes 25,000 files per iteration, as many as for a site of 10,000 pages.
func BenchmarkArchivePut(b *testing.B) {
	data := text(rand.New(rand.NewPCG(1, 1)), 10_000)
	f := File{ContentType: "text/html; charset=utf-8", Packed: Pack(data, "text/html")}
	names := make([]string, 25_000)
	for i := range names {
		names[i] = fmt.Sprintf("guides/section-%d/some-page-%d.html", i/100, i)
	}
	for name, open := range map[string]func(io.Writer) *Archive{"tar.gz": NewTarGz, "zip": NewZip} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a := open(io.Discard)
				for _, f.Path = range names {
					if err := a.Put(context.Background(), f); err != nil {
						b.Fatal(err)
					}
				}
				if err := a.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(names))*float64(b.N)/b.Elapsed().Seconds(), "files/s")
		})
	}
}
