package postgres

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// places returns patterns of the folders into which packages install the programs. Keep them in sync with
// tools/install-testservers.
func places() []string {
	return []string{
		"/usr/lib/postgresql/*/bin",          // Debian
		"/usr/pgsql-*/bin",                   // Red Hat
		"/usr/libexec/postgresql*",           // Alpine
		"/opt/homebrew/opt/postgresql@*/bin", // macOS
		"/usr/local/opt/postgresql@*/bin",    // macOS, older
	}
}

// findPrograms returns the folder with initdb, postgres and psql: the one in PATH, otherwise the newest version in
// places.
func findPrograms(places []string) (string, error) {
	if initdb, err := exec.LookPath("initdb"); err == nil {
		if target, err := filepath.EvalSymlinks(initdb); err == nil && complete(filepath.Dir(target)) {
			return filepath.Dir(target), nil
		}
	}
	newest, version := "", -1
	for _, place := range places {
		folders, err := filepath.Glob(place)
		if err != nil {
			return "", err
		}
		for _, folder := range folders {
			if v := majorVersion(folder); v > version && complete(folder) {
				newest, version = folder, v
			}
		}
	}
	if newest == "" {
		return "", errors.New("PostgreSQL is not installed: run tools/install-testservers")
	}
	return newest, nil
}

// complete reports whether a folder contains all programs.
func complete(folder string) bool {
	for _, name := range []string{"initdb", "postgres", "psql"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			return false
		}
	}
	return true
}

// majorVersion returns the last number in a folder's name, or 0 if there is none.
func majorVersion(folder string) int {
	numbers := regexp.MustCompile(`\d+`).FindAllString(folder, -1)
	if len(numbers) == 0 {
		return 0
	}
	version, err := strconv.Atoi(numbers[len(numbers)-1])
	if err != nil {
		return 0 // longer than any version
	}
	return version
}
