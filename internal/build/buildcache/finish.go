package buildcache

import (
	"cmp"
	"slices"
)

// Flush makes what was put visible to others, and what others put visible here. The session goes on.
func (n *Session) Flush() { n.end(true) }

// Close ends the session. What it put is there for those that begin later. A nil or closed session has nothing to
// close.
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

// end finishes the pack that is being written, and tidies the folder. Gets and Puts wait only while packs are
// exchanged.
func (n *Session) end(goOn bool) {
	n.ending.Lock()
	defer n.ending.Unlock()
	merged := n.merge()
	n.mu.Lock()
	if n.own == nil { // closed before
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

// merge copies small packs into the session's own, by the rule of merges, and returns them: they can go once that is in
// place. The newest comes first, since the first value of a key stays.
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
			continue // gone, or damaged: the next session handles it
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

// after returns the packs that are newer than p and are not copied: what they have must not be hidden by what p has.
func (n *Session) after(p *pack, chosen []file) (out []*held) {
	for _, h := range n.packs {
		if h.name > p.name && !slices.ContainsFunc(chosen, func(f file) bool { return f.name == h.name }) {
			out = append(out, h)
		}
	}
	return out
}

// copyFrom copies the sound records of a pack, but for those that newer packs have, in the order in which they were
// written. It is false when the session's own takes no more.
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

// seal puts the session's own pack into place. It is false when that failed. n.gate is held.
func (n *Session) seal() bool {
	temp, err := n.own.finish()
	if err == nil && temp != "" {
		now := n.store.opt.Now()
		_ = n.store.root.Chtimes(temp, now, now) // by the same clock as touch
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

// touch writes when packs were last of use.
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

// tidy removes what was copied, what is damaged, what crashed processes left, and what exceeds the bound.
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

// inUseByOthers names packs that other sessions of this process have open.
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
