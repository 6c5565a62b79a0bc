package config

import (
	"path/filepath"
	"runtime"
	"testing"
)

func TestCommandCacheFolderFollowsFlagVariableAndUserFolder(t *testing.T) {
	home, own := t.TempDir(), t.TempDir()
	usual := filepath.Join(home, ".cache", "lectern", "build")
	if runtime.GOOS == "darwin" {
		usual, own = filepath.Join(home, "Library", "Caches", "lectern", "build"), home
	}
	for name, c := range map[string]struct {
		env  Env
		flag string
		want BuildCache
	}{
		"nothing":       {Env{}, "", BuildCache{MaxBytes: 2 << 30}},
		"home":          {Env{"HOME": home}, "", BuildCache{Folder: usual, MaxBytes: 2 << 30}},
		"missing home":  {Env{"HOME": filepath.Join(home, "gone")}, "", BuildCache{MaxBytes: 2 << 30}},
		"relative home": {Env{"HOME": "."}, "", BuildCache{MaxBytes: 2 << 30}},
		"variable": {Env{"HOME": home, "LECTERN_CACHE_FOLDER": "/c", "LECTERN_CACHE_MAX_BYTES": "0"}, "",
			BuildCache{Folder: "/c", Asked: true}},
		"flag": {Env{"HOME": home, "LECTERN_CACHE_FOLDER": "/c"}, "d",
			BuildCache{Folder: "d", MaxBytes: 2 << 30, Asked: true}},
		"the user's own": {Env{"HOME": home, "XDG_CACHE_HOME": own}, "",
			BuildCache{Folder: usualOr(usual, own), MaxBytes: 2 << 30}},
		"a relative own": {Env{"HOME": home, "XDG_CACHE_HOME": "caches"}, "",
			BuildCache{Folder: usual, MaxBytes: 2 << 30}},
		"a bound of its own": {Env{"LECTERN_CACHE_MAX_BYTES": "20000000"}, "d",
			BuildCache{Folder: "d", MaxBytes: 20_000_000, Asked: true}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.env.BuildCache(c.flag)
			if err != nil || got != c.want {
				t.Errorf("BuildCache = %+v, %v; want %+v", got, err, c.want)
			}
		})
	}
	for _, bad := range []string{"1000", "-1", "2 GiB"} {
		_, err := Env{"LECTERN_CACHE_MAX_BYTES": bad}.BuildCache("")
		wantFault(t, err, "bad_setting", "cache.max-bytes", "LECTERN_CACHE_MAX_BYTES", bad)
	}
}

func usualOr(usual, own string) string {
	if runtime.GOOS == "darwin" {
		return usual
	}
	return filepath.Join(own, "lectern", "build")
}

func TestServerCacheDefaultsToTheDataFolder(t *testing.T) {
	s := Server{Data: "d"}
	if got := s.CacheDir(); got != filepath.Join("d", "cache") {
		t.Errorf("CacheDir = %s", got)
	}
	if s.CacheFolder = "/elsewhere"; s.CacheDir() != "/elsewhere" {
		t.Errorf("CacheDir = %s", s.CacheDir())
	}
}
