package main

import "encoding/binary"

// plainKerning clears the mark filtering flag of the pair lookups in a font's GPOS table. The font library that draws
// preview cards skips lookups with that flag; for text without marks, the meaning is the same. Damaged tables are not
// changed.
func plainKerning(ttf []byte) {
	u16 := func(at int) int {
		if at < 0 || at+2 > len(ttf) {
			return 0
		}
		return int(binary.BigEndian.Uint16(ttf[at:]))
	}
	for i := range u16(4) {
		entry := 12 + 16*i
		if entry+16 > len(ttf) || string(ttf[entry:entry+4]) != "GPOS" {
			continue
		}
		table := int(binary.BigEndian.Uint32(ttf[entry+8:]))
		list := table + u16(table+8)
		for n := range u16(list) {
			lookup := list + u16(list+2+2*n)
			// pairs, or an extension that contains pairs
			if kind := u16(lookup); (kind == 2 || kind == 9) && lookup+4 <= len(ttf) {
				const useMarkFilteringSet = 0x10
				binary.BigEndian.PutUint16(ttf[lookup+2:], uint16(u16(lookup+2)&^useMarkFilteringSet))
			}
		}
	}
}
