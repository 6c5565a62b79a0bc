package ogimage

import (
	"cmp"
	"math/bits"
	"slices"
)

// code is a canonical Huffman code: for each symbol its bits, in the order they are written, and their number; 0 = not used.
type code struct {
	bits   []uint16
	length []uint8
}

func (c *code) put(w *bitWriter, symbol int) { w.put(uint64(c.bits[symbol]), uint(c.length[symbol])) }

// newCode makes the code for symbols that come so often. No code is longer than limit.
func newCode(freq []uint32, limit uint8) *code {
	freq = slices.Clone(freq)
	c := &code{bits: make([]uint16, len(freq)), length: make([]uint8, len(freq))}
	for c.measure(freq) > limit { // rare symbols are made more common until the tree is flat enough
		for i, f := range freq {
			if f > 0 {
				freq[i] = f>>1 | 1
			}
		}
	}
	var next, count [17]uint16
	for _, n := range c.length {
		count[n]++
	}
	count[0] = 0
	for n := 1; n < len(next); n++ {
		next[n] = (next[n-1] + count[n-1]) << 1
	}
	for i, n := range c.length {
		if n > 0 {
			c.bits[i] = bits.Reverse16(next[n]) >> (16 - n)
			next[n]++
		}
	}
	return c
}

// measure sets the lengths of the best code and returns the longest. Nodes of the tree are made in order of weight: leaves from one
// queue, joined nodes from another.
func (c *code) measure(freq []uint32) (longest uint8) {
	type node struct {
		weight uint32
		parent int32
	}
	var leaves []int
	for i, f := range freq {
		if f > 0 {
			leaves = append(leaves, i)
		}
	}
	slices.SortStableFunc(leaves, func(a, b int) int { return cmp.Compare(freq[a], freq[b]) })
	nodes := make([]node, 0, 2*len(leaves))
	for _, i := range leaves {
		nodes = append(nodes, node{weight: freq[i]})
	}
	leaf, joined := 0, len(leaves)
	take := func() int {
		if leaf < len(leaves) && (joined == len(nodes) || nodes[leaf].weight <= nodes[joined].weight) {
			leaf++
			return leaf - 1
		}
		joined++
		return joined - 1
	}
	for range len(leaves) - 1 {
		a, b := take(), take()
		nodes[a].parent, nodes[b].parent = int32(len(nodes)), int32(len(nodes))
		nodes = append(nodes, node{weight: nodes[a].weight + nodes[b].weight})
	}
	depth := make([]uint8, len(nodes))
	for i := len(nodes) - 2; i >= 0; i-- {
		depth[i] = depth[nodes[i].parent] + 1
	}
	for i, symbol := range leaves {
		c.length[symbol] = max(depth[i], 1)
		longest = max(longest, c.length[symbol])
	}
	return longest
}

// order in which the lengths of the third code are written (RFC 1951, 3.2.7).
var order = [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// header writes both codes: their lengths, runs of zeros shortened, in a third code.
func header(w *bitWriter, lit, dist *code) {
	lengths := append(slices.Clone(lit.length), dist.length...)
	type step struct{ symbol, extra, value int }
	var steps []step
	var freq [19]uint32
	for i := 0; i < len(lengths); {
		run := 1
		for i+run < len(lengths) && lengths[i+run] == lengths[i] && run < 138 {
			run++
		}
		s := step{symbol: int(lengths[i])}
		switch {
		case lengths[i] != 0 || run < 3:
			run = 1
		case run < 11:
			s = step{17, 3, run - 3}
		default:
			s = step{18, 7, run - 11}
		}
		steps = append(steps, s)
		freq[s.symbol]++
		i += run
	}
	third := newCode(freq[:], 7)
	last := len(order)
	for last > 4 && third.length[order[last-1]] == 0 {
		last--
	}
	w.put(uint64(len(lit.length)-257), 5)
	w.put(uint64(len(dist.length)-1), 5)
	w.put(uint64(last-4), 4)
	for _, symbol := range order[:last] {
		w.put(uint64(third.length[symbol]), 3)
	}
	for _, s := range steps {
		third.put(w, s.symbol)
		w.put(uint64(s.value), uint(s.extra))
	}
}
