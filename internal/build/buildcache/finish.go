package buildcache

import (
	"cmp"
	"slices"
)

// Flush makes stored values visible to other sessions, and theirs visible to this one. The session continues.
func (n *Session) Flush() { n.end(true) }

// Close ends the session. Its values are available to sessions that begin later. It does nothing for a nil or
// closed session.
func (n *Session) Close() {
	if n == nil {
		return
	}
	if n.end(false); n.store.opt.OnError == nil {
		return
	}
	if err := n.Err(); err != nil {
		n.store.opt.OnError(err)
	}
}

// end finishes the pack that is being written, and cleans up the folder. If goOn is set, the session then opens the
// packs in the folder again. Get and Put are not blocked while packs are merged, only afterwards.
func (n *Session) end(goOn bool) {
	n.ending.Lock()
	defer n.ending.Unlock()
	merged := n.merge()
	n.mu.Lock()
	if n.own == nil { // already closed
		n.mu.Unlock()
		return
	}
	if !n.seal() {
		merged = nil
	}
	old := n.packs
	n.packs, n.own = nil, nil
	n.touch(old)
	n.tidy(old, merged)
	if goOn {
		n.packs, n.own = n.load(), n.newWriter()
	}
	n.mu.Unlock()
	for _, h := range old {
		n.store.release(h.pack)
	}
}

// merge copies the small packs that merges selects into the session's own pack, and returns them. They can be removed
// once the session's pack has been renamed. It copies the newest first, because the first value of a key is kept.
func (n *Session) merge() (done []file) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if n.own == nil {
		return nil
	}
	files, err := listFiles(n.store.root)
	if err != nil {
		return nil
	}
	chosen := merges(files, n.own.size(), n.store.opt.MaxBytes)
	slices.SortFunc(chosen, func(a, b file) int { return cmp.Compare(b.name, a.name) })
	for _, f := range chosen {
		p, err := n.store.acquire(f.name)
		if err != nil {
			continue // removed or damaged: the next session handles it
		}
		whole := n.copyFrom(p, n.after(p, chosen))
		n.store.release(p)
		if !whole {
			break
		}
		done = append(done, f)
	}
	return done
}

// after returns the packs that are newer than p and are not being copied. Records copied from p must not hide the newer
// records in these packs.
func (n *Session) after(p *pack, chosen []file) (out []*held) {
	for _, h := range n.packs {
		if h.name > p.name && !slices.ContainsFunc(chosen, func(f file) bool { return f.name == h.name }) {
			out = append(out, h)
		}
	}
	return out
}

// copyFrom copies the valid records of a pack that newer packs do not have, in the order in which they were
// written. It returns false if the session's own pack is full.
func (n *Session) copyFrom(p *pack, newer []*held) bool {
	places := make([]place, p.count())
	for i := range places {
		places[i] = p.place(i)
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.offset, b.offset) })
	for _, at := range places {
		record, err := readRecord(p.file, at, p.start)
		if err != nil {
			continue
		}
		key := [keySize]byte(record)
		if slices.ContainsFunc(newer,
			func(h *held) bool { _, ok := h.find(prefix(key)); return ok && !h.damaged.Load() }) {
			continue
		}
		if !n.own.add(key, record[keySize:], at.sum, n.store.opt.MaxBytes) {
			return false
		}
	}
	return true
}

// seal renames the session's own pack to its final name. It returns false if that failed. The caller must hold
// n.gate.
func (n *Session) seal() bool {
	temp, err := n.own.finish()
	if err == nil && temp != "" {
		now := n.store.opt.Now()
		_ = n.store.root.Chtimes(temp, now, now) // use the same clock as touch
		err = n.store.root.Rename(temp, packName(temp))
	}
	if err == nil {
		return true
	}
	if n.err == nil {
		n.err = err
	}
	if temp != "" {
		_ = n.store.root.Remove(temp)
	}
	return false
}

// touch records when packs were last used.
func (n *Session) touch(packs []*held) {
	now := n.store.opt.Now()
	for _, h := range packs {
		if !h.used.Load() {
			continue
		}
		if info, err := n.store.root.Lstat(h.name); err == nil && now.Sub(info.ModTime()) >= touchEvery {
			_ = n.store.root.Chtimes(h.name, now, now)
		}
	}
}

// tidy removes packs that were copied or are damaged, files of crashed processes, and packs beyond the limit.
func (n *Session) tidy(packs []*held, merged []file) {
	remove := map[string]bool{}
	first := map[string]bool{}
	for _, f := range merged {
		remove[f.name] = true
	}
	for _, h := range packs {
		remove[h.name] = remove[h.name] || h.damaged.Load()
		first[h.name] = h.endangered && !h.used.Load()
	}
	files, err := listFiles(n.store.root)
	if err != nil {
		return
	}
	stale := n.store.opt.Now().Add(-tempLife)
	files = slices.DeleteFunc(files, func(f file) bool {
		gone := remove[f.name] || f.isTemp() && f.used.Before(stale)
		return gone && n.store.root.Remove(f.name) == nil
	})
	for _, f := range evictions(files, n.store.opt.MaxBytes, first, n.inUseByOthers(packs)) {
		_ = n.store.root.Remove(f.name)
	}
}

// inUseByOthers returns the packs that other sessions of this process have open.
func (n *Session) inUseByOthers(mine []*held) map[string]bool {
	out := n.store.inUse()
	n.store.mu.Lock()
	defer n.store.mu.Unlock()
	for _, h := range mine {
		if h.users == 1 {
			delete(out, h.name)
		}
	}
	return out
}
