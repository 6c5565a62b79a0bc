package sitehost

import (
	"container/list"
	"sync"
)

// cache holds recently used values up to a total size in bytes and evicts the least recently used ones.
type cache[V any] struct {
	limit int64

	mu    sync.Mutex
	used  int64                    // guarded by mu
	order *list.List               // guarded by mu; front = most recently used
	byKey map[string]*list.Element // guarded by mu
}

type cached[V any] struct {
	key   string
	value V
	size  int64
}

func newCache[V any](limit int64) *cache[V] {
	return &cache[V]{limit: limit, order: list.New(), byKey: map[string]*list.Element{}}
}

func (c *cache[V]) get(key string) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[key]
	if !ok {
		var zero V
		return zero, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached[V]).value, true
}

func (c *cache[V]) put(key string, v V, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[key]; ok {
		return
	}
	c.byKey[key] = c.order.PushFront(&cached[V]{key: key, value: v, size: size})
	c.used += size
	// A single value over the limit stays while it is used: loading it for each request would be worse.
	for c.used > c.limit && c.order.Len() > 1 {
		last := c.order.Back()
		old := last.Value.(*cached[V])
		c.order.Remove(last)
		delete(c.byKey, old.key)
		c.used -= old.size
	}
}
