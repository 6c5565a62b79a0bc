package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// notices packs the licence texts of all embedded packages, for everyone who gets our scripts and icons with a site.
// It also writes the list of packages for tools/licences to a hidden file, which Go does not embed.
func (p *packing) notices() error {
	var text strings.Builder
	packages := slices.Sorted(maps.Keys(p.used))
	for _, pkg := range packages {
		about, err := p.about(pkg)
		if err != nil {
			return err
		}
		text.WriteString(about)
	}
	p.files[".packages"] = []byte(strings.Join(packages, "\n") + "\n")
	return p.add("notices.txt", []byte(text.String()))
}

// about returns a package's name, version and licence texts.
func (p *packing) about(pkg string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(p.modules, pkg, "package.json"))
	if err != nil {
		return "", fmt.Errorf("read package: %w", err)
	}
	var manifest struct{ Name, Version string }
	if err := json.Unmarshal(raw, &manifest); err != nil {
		return "", fmt.Errorf("read package %s: %w", pkg, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s %s\n\n", strings.Repeat("-", 80), manifest.Name, manifest.Version)
	entries, err := os.ReadDir(filepath.Join(p.modules, pkg))
	if err != nil {
		return "", fmt.Errorf("read package: %w", err)
	}
	texts := 0
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(upper, "LICEN") && !strings.HasPrefix(upper, "COPYING") &&
			!strings.HasPrefix(upper, "NOTICE") {
			continue
		}
		licence, err := os.ReadFile(filepath.Join(p.modules, pkg, e.Name()))
		if err != nil {
			return "", fmt.Errorf("read licence: %w", err)
		}
		b.WriteString(strings.TrimSpace(strings.ReplaceAll(string(licence), "\r\n", "\n")) + "\n\n")
		texts++
	}
	if texts == 0 {
		return "", fmt.Errorf("package %s has no licence text", pkg)
	}
	return b.String(), nil
}
