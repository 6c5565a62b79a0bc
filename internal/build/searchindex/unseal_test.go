package searchindex_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
)

// sealed returns the record of pages.
func sealed(pack bool, pages ...*searchindex.Prepared) searchindex.Record {
	s := searchindex.NewSegment(pack)
	for _, p := range pages {
		s.Add(p)
	}
	return s.Seal()
}

// preparedList prepares pages.
func preparedList(pages []searchindex.Page) (out []*searchindex.Prepared) {
	for p := range prepared(pages) {
		out = append(out, p)
	}
	return out
}

// hardTexts returns pages whose text contains the characters that delimit values in text shards.
func hardTexts() []searchindex.Page {
	text := "a\"b\\ [c] {d} \\\" ]],[[ \u2028 \x00 </script> "
	return append(mixed(), searchindex.Page{Path: "a]\"", Title: text, Description: text, Crumbs: []string{text, "]"},
		Sections: []pagetext.Section{{Text: text}, {Level: 2, Heading: text, Text: text + string(bytes.Repeat([]byte(text),
			4000)), Code: text}}})
}

// Sealing the pages of a record again gives the same record. If one page is replaced, the record is the same as for
// newly prepared pages.
func TestUnsealedPagesGiveTheSameRecord(t *testing.T) {
	for name, pages := range map[string][]searchindex.Page{"mixed": hardTexts(), "generated": some(9, 80), "none": nil} {
		for _, pack := range []bool{false, true} {
			want := sealed(pack, preparedList(pages)...)
			list, err := searchindex.Unseal(want)
			if err != nil || len(list) != len(pages) {
				t.Fatalf("%s: %d pages, %v", name, len(list), err)
			}
			if got := sealed(pack, list...); !bytes.Equal(got.Head, want.Head) || !bytes.Equal(got.Texts, want.Texts) {
				t.Errorf("%s: the record differs", name)
			}
			if len(pages) == 0 {
				continue
			}
			changed := slices.Clone(pages)
			at := len(pages) / 2
			changed[at].Title, changed[at].Language = "Another title", "fr"
			changed[at].Sections = append(slices.Clone(changed[at].Sections), pagetext.Section{Text: "Another text."})
			all := preparedList(changed)
			want, list[at] = sealed(pack, all...), all[at]
			if got := sealed(pack, list...); !bytes.Equal(got.Head, want.Head) || !bytes.Equal(got.Texts, want.Texts) {
				t.Errorf("%s: the record with another page differs", name)
			}
		}
	}
}

// A record with any damage is refused.
func TestUnsealRefusesDamagedRecord(t *testing.T) {
	good := sealed(true, preparedList(mixed())...)
	for i := range good.Head {
		bad := bytes.Clone(good.Head)
		bad[i] ^= 1 << (i % 8)
		if _, err := searchindex.Unseal(searchindex.Record{Head: bad, Texts: good.Texts}); !errors.Is(err,
			searchindex.ErrRecord) {
			t.Fatalf("byte %d of the head: %v", i, err)
		}
	}
	for i := range good.Texts {
		for _, bad := range [][]byte{good.Texts[:i], append(bytes.Clone(good.Texts[:i]), good.Texts[i+1:]...)} {
			if _, err := searchindex.Unseal(searchindex.Record{Head: good.Head, Texts: bad}); !errors.Is(err,
				searchindex.ErrRecord) {
				t.Fatalf("byte %d of the texts: %v", i, err)
			}
		}
	}
}

// A forged record with correct checksums results in an error or in pages that can be sealed.
func FuzzUnseal(f *testing.F) {
	sealed := sealed(false, preparedList(mixed())...)
	good := sealed.Head[:len(sealed.Head)-4]
	for i := range 60 {
		f.Add(good, uint16(i*len(good)/60), []byte{byte(i), 0xFF, 0x80, 1}[:1+i%4], uint16(i), []byte("]"))
	}
	table := crc32.MakeTable(crc32.Castagnoli)
	f.Fuzz(func(t *testing.T, head []byte, at uint16, with []byte, text uint16, instead []byte) {
		head, texts := slices.Clone(head), slices.Clone(sealed.Texts)
		copy(texts[int(text)%len(texts):], instead)
		old := binary.LittleEndian.AppendUint32(nil, crc32.Checksum(sealed.Texts, table))
		head = bytes.Replace(head, old, binary.LittleEndian.AppendUint32(nil, crc32.Checksum(texts, table)), 1)
		copy(head[int(at)%(len(head)+1):], with)
		head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, table))
		pages, err := searchindex.Unseal(searchindex.Record{Head: head, Texts: texts})
		if err != nil {
			return
		}
		s := searchindex.NewSegment(false)
		for _, p := range pages {
			s.Add(p)
		}
		if s.Pages() != len(pages) || len(s.Seal().Head) == 0 {
			t.Error("the pages cannot be sealed")
		}
	})
}
