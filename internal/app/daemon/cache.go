package daemon

import "github.com/lectern-docs/lectern/internal/build/buildcache"

// openCache opens the build cache. If that fails, the server works without it, only slower.
func (c *core) openCache() {
	if c.Config.CacheMaxBytes == 0 || c.slots() == 0 {
		return
	}
	cache, err := buildcache.Open(c.Config.CacheDir(), buildcache.Options{
		MaxBytes: int64(c.Config.CacheMaxBytes), Now: c.Now,
		OnError: func(err error) { c.Logger.Warn("failed to write to build cache", "error", err) },
	})
	if err != nil {
		c.Logger.Warn("build cache unavailable, building without a cache", "error", err)
		return
	}
	c.cache = cache
	c.onClose(cache.Close)
	for name, m := range map[string]struct {
		help  string
		value func(buildcache.Figures) int64
	}{
		"hits_total": {"Cached build results that were reused.",
			func(f buildcache.Figures) int64 { return f.Hits }},
		"misses_total": {"Build results that were not in the cache.",
			func(f buildcache.Figures) int64 { return f.Misses }},
		"read_bytes_total": {"Bytes of reused build results.", func(f buildcache.Figures) int64 { return f.Read }},
		"written_bytes_total": {"Bytes of build results written to the cache.",
			func(f buildcache.Figures) int64 { return f.Written }},
	} {
		c.metrics.Counter("lectern_build_cache_"+name, m.help,
			func() float64 { return float64(m.value(cache.Figures())) })
	}
	c.metrics.Gauge("lectern_build_cache_bytes", "Size of the build cache folder.", func() float64 {
		u, err := cache.Usage()
		if err != nil {
			return -1 // -1 means unknown, to distinguish it from zero
		}
		return float64(u.Bytes)
	})
}
