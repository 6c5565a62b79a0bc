package bom

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/tools/release/internal/debian"
)

// Licences maps modules and npm packages to SPDX expressions, as in THIRD_PARTY.md.
type Licences map[string]string

// ParseLicences parses the rows "| name | version | licence |". The version is part of the key, because licences may
// differ between versions.
func ParseLicences(table string) Licences {
	out := Licences{}
	for line := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) == 3 {
			out[strings.TrimSpace(cells[0])+"@"+strings.TrimSpace(cells[1])] = strings.TrimSpace(cells[2])
		}
	}
	return out
}

func (l Licences) of(name, version string) ([]Licence, error) {
	e, ok := l[name+"@"+version]
	if !ok {
		return nil, fmt.Errorf("list parts: THIRD_PARTY.md has no licence for %s %s", name, version)
	}
	return []Licence{{Expression: e}}, nil
}

// Program describes a program by its content.
func Program(name, version string, program []byte) Component {
	sum := sha256.Sum256(program)
	return Component{Type: "application", Ref: name, Name: name, Version: version,
		PURL:   "pkg:generic/" + name + "@" + url.PathEscape(version),
		Hashes: []Hash{{"SHA-256", hex.EncodeToString(sum[:])}}}
}

// Modules lists the modules in a Go program's build information, and the standard library.
func Modules(program []byte, licences Licences) ([]Component, error) {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return nil, fmt.Errorf("read modules: %w", err)
	}
	version := strings.TrimPrefix(info.GoVersion, "go")
	out := []Component{{Type: "library", Ref: "pkg:golang/stdlib@" + version, Name: "stdlib", Version: version,
		PURL:     "pkg:golang/stdlib@" + version,
		Licences: []Licence{{"BSD-3-Clause"}}}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		l, err := licences.of(m.Path, m.Version)
		if err != nil {
			return nil, err
		}
		purl := "pkg:golang/" + m.Path + "@" + m.Version
		out = append(out, Component{Type: "library", Ref: purl, Name: m.Path, Version: m.Version, PURL: purl,
			Licences: l, Properties: []Property{{"go:sum", m.Sum}}})
	}
	return out, nil
}

// NPM lists the npm packages whose files are in every program, as recorded by the packer.
func NPM(root string, licences Licences) ([]Component, error) {
	dir := filepath.Join(root, "web", "npm")
	list, err := os.ReadFile(filepath.Join(dir, "dist", ".packages"))
	if err != nil {
		return nil, fmt.Errorf("read list of npm packages (run make packs): %w", err)
	}
	var lock struct {
		Packages map[string]struct{ Version, Integrity string }
	}
	raw, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err == nil {
		err = json.Unmarshal(raw, &lock)
	}
	if err != nil {
		return nil, fmt.Errorf("read lock of npm packages: %w", err)
	}
	byRef := map[string]Component{}
	for folder := range strings.FieldsSeq(string(list)) {
		locked, ok := lock.Packages["node_modules/"+folder]
		if !ok {
			return nil, fmt.Errorf("list parts: the lock file has no %s", folder)
		}
		name := folder // for a nested package, the last path element
		if i := strings.LastIndex(folder, "node_modules/"); i >= 0 {
			name = folder[i+len("node_modules/"):]
		}
		c, err := npmPart(name, locked.Version, locked.Integrity, licences)
		if err != nil {
			return nil, err
		}
		byRef[c.Ref] = c
	}
	return sorted(byRef), nil
}

func npmPart(name, version, integrity string, licences Licences) (Component, error) {
	l, err := licences.of(name, version)
	if err != nil {
		return Component{}, err
	}
	purl := "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + version
	c := Component{Type: "library", Ref: purl, Name: name, Version: version, PURL: purl, Licences: l}
	sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(integrity, "sha512-"))
	if err != nil || len(sum) != 64 {
		return c, fmt.Errorf("list parts: the lock file has no SHA-512 of %s", name)
	}
	c.Hashes = []Hash{{"SHA-512", hex.EncodeToString(sum)}}
	return c, nil
}

// Debian lists Debian packages. They have no single licence expression; the image contains their copyright files.
func Debian(distro string, packages []debian.Package) []Component {
	byRef := map[string]Component{}
	for _, p := range packages {
		purl := "pkg:deb/debian/" + p.Name + "@" + strings.NewReplacer(":", "%3A", "+", "%2B").
			Replace(p.Version) + "?arch=" + p.Arch + "&distro=" + distro
		byRef[purl] = Component{Type: "library", Ref: purl, Name: p.Name, Version: p.Version, PURL: purl,
			Hashes: []Hash{{"SHA-256", p.SHA256}}}
	}
	return sorted(byRef)
}

func sorted(byRef map[string]Component) []Component {
	out := make([]Component, 0, len(byRef))
	for _, c := range byRef {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Component) int { return strings.Compare(a.Ref, b.Ref) })
	return out
}
