package tex

// maxMemo limits the cache, in bytes. A formula takes a few kilobytes.
const maxMemo = 16 << 20

// formula is the cache key.
type formula struct {
	tex   string
	block bool
}

// result is the HTML of a formula, or an error in its TeX.
type result struct {
	html []byte
	err  error
}

// memo caches results. When it is full, it drops all of them. Sites repeat few formulas, and the results must not
// depend on the order of pages. The caller must hold the lock.
type memo struct {
	results map[formula]result
	bytes   int
}

func (m *memo) find(f formula) (result, bool) {
	r, ok := m.results[f]
	return r, ok
}

func (m *memo) add(f formula, r result) {
	size := len(f.tex) + len(r.html) + 200 // plus the overhead of the map and an error
	if m.results == nil || m.bytes+size > maxMemo {
		m.results, m.bytes = map[formula]result{}, 0
	}
	if _, known := m.results[f]; !known {
		m.bytes += size
	}
	m.results[f] = r
}
