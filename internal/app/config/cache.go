package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// minCacheBytes is the smallest bound with which a cache of builds is of use.
const minCacheBytes = 16 << 20

// CacheDir returns where the server's builds keep what they made.
func (s *Server) CacheDir() string {
	if s.CacheFolder != "" {
		return s.CacheFolder
	}
	return filepath.Join(s.Data, "cache")
}

// BuildCache is where commands that build without a server keep what they made.
type BuildCache struct {
	Folder   string // "" for nowhere
	MaxBytes int64
	Asked    bool // the folder was set explicitly; if not, it is the default
}

// BuildCache returns it: the folder that a flag names, else that of the variable, else one in the user's folder for
// caches. The variables are those of the server's settings.
func (e Env) BuildCache(flag string) (BuildCache, error) {
	setting := find("cache.max-bytes")
	text := e[setting.Env]
	if text == "" {
		text = setting.Default
	}
	most, err := strconv.ParseInt(text, 10, 64)
	if err != nil || most != 0 && most < minCacheBytes {
		return BuildCache{}, setting.bad("must be 0 or at least %d, not %q.", minCacheBytes, text)
	}
	for _, folder := range []string{flag, e[EnvName("cache.folder")]} {
		if folder != "" {
			return BuildCache{Folder: folder, MaxBytes: most, Asked: true}, nil
		}
	}
	return BuildCache{Folder: e.usualCache(), MaxBytes: most}, nil
}

// usualCache returns the folder for caches of the user whose environment this is; "" when it has none.
func (e Env) usualCache() string {
	home, below := e["HOME"], ".cache"
	if runtime.GOOS == "darwin" {
		below = filepath.Join("Library", "Caches")
	} else if own := e["XDG_CACHE_HOME"]; filepath.IsAbs(own) {
		return filepath.Join(own, "lectern", "build")
	}
	// services often have a home that is not there
	if info, err := os.Stat(home); !filepath.IsAbs(home) || err != nil || !info.IsDir() {
		return ""
	}
	return filepath.Join(home, below, "lectern", "build")
}
