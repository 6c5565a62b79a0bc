package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// platforms are the platforms we build for. The list of modules includes those needed on only one of them.
var platforms = [][2]string{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}}

func main() {
	write := flag.String("write", "", "write the list to this `file`")
	check := flag.String("check", "", "fail unless this `file` holds the list")
	flag.Parse()
	if err := run(*write, *check); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(write, check string) error {
	modules, err := shipped("./cmd/lectern")
	if err != nil {
		return err
	}
	list, err := table(modules)
	if err != nil {
		return err
	}
	packages, err := npmTable("web/npm")
	if err != nil {
		return err
	}
	list += packages
	switch {
	case write != "":
		return os.WriteFile(write, []byte(list), 0o644)
	case check != "":
		have, err := os.ReadFile(check)
		if err != nil {
			return fmt.Errorf("read list: %w", err)
		}
		if string(have) != list {
			return fmt.Errorf("%s is out of date: run make third-party", check)
		}
		return nil
	}
	_, err = io.WriteString(os.Stdout, list)
	return err
}

// module is a module in the binary, with its folder.
type module struct {
	Path, Version, Dir string
	Main               bool
	Replace            *module
}

// shipped lists the modules that a package depends on, on any platform, by path.
func shipped(pkg string) (map[string]module, error) {
	found := map[string]module{}
	for _, p := range platforms {
		cmd := exec.Command("go", "list", "-deps", "-json=Module", pkg)
		cmd.Env = append(cmd.Environ(), "GOOS="+p[0], "GOARCH="+p[1], "CGO_ENABLED=0")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("list packages for %s/%s: %w", p[0], p[1], err)
		}
		for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
			var one struct{ Module *module }
			if err := dec.Decode(&one); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, fmt.Errorf("read package list: %w", err)
			}
			if m := one.Module; m != nil && !m.Main {
				if m.Replace != nil {
					m.Dir = m.Replace.Dir
				}
				found[m.Path] = *m
			}
		}
	}
	return found, nil
}

// table writes the list and collects the errors of all modules, not only the first.
func table(modules map[string]module) (string, error) {
	var b strings.Builder
	b.WriteString("# Third-party software\n\n")
	b.WriteString(
		"What the `lectern` binary is built from, besides the Go standard library (BSD-3-Clause). `make third-party` writes this file.\n\n")
	b.WriteString("| module | version | licence (SPDX) |\n|---|---|---|\n")
	var wrong []error
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		m := modules[path]
		licence, err := licenceOf(m.Dir)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", path, err))
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", path, m.Version, licence)
	}
	return b.String(), errors.Join(wrong...)
}

// licenceOf reads the licence files at a module's root and rejects licences we may not ship.
func licenceOf(dir string) (string, error) {
	names, err := licenceTexts(dir)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if !slices.Contains(allowed, name) {
			return "", fmt.Errorf("its licence %s is not one we ship", name)
		}
	}
	return strings.Join(names, " AND "), nil
}

// licenceTexts returns the sorted names of the licences whose texts are in a folder, at least one.
func licenceTexts(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read module: %w", err)
	}
	names := map[string]bool{}
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(upper, "LICENSE") && !strings.HasPrefix(upper, "LICENCE") &&
			!strings.HasPrefix(upper, "COPYING") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read licence: %w", err)
		}
		for _, name := range recognize(string(text)) {
			names[name] = true
		}
	}
	if len(names) == 0 {
		return nil, errors.New("its licence is not recognized")
	}
	return slices.Sorted(maps.Keys(names)), nil
}
