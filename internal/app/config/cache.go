package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// minCacheBytes is the smallest useful size of a build cache.
const minCacheBytes = 16 << 20

// CacheDir returns the folder of the server's build cache.
func (s *Server) CacheDir() string {
	if s.CacheFolder != "" {
		return s.CacheFolder
	}
	return filepath.Join(s.Data, "cache")
}

// BuildCache describes the cache of commands that build without a server.
type BuildCache struct {
	Folder   string // "" = no cache
	MaxBytes int64
	Asked    bool // the user chose the folder explicitly
}

// BuildCache returns the folder given by the flag or the variable, or a default one in the user's cache folder. The
// variables are the same as the server's settings.
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

// usualCache returns the user's cache folder, or "" if there is none.
func (e Env) usualCache() string {
	home, below := e["HOME"], ".cache"
	if runtime.GOOS == "darwin" {
		below = filepath.Join("Library", "Caches")
	} else if own := e["XDG_CACHE_HOME"]; filepath.IsAbs(own) {
		return filepath.Join(own, "lectern", "build")
	}
	// services often have a home folder that does not exist
	if info, err := os.Stat(home); !filepath.IsAbs(home) || err != nil || !info.IsDir() {
		return ""
	}
	return filepath.Join(home, below, "lectern", "build")
}
