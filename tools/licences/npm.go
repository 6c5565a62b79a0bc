package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// npmPackage is a package's metadata.
type npmPackage struct{ Name, Version, License string }

// npmTable lists the npm packages whose content tools/packweb embedded in the binary, together with their licence
// texts.
func npmTable(dir string) (string, error) {
	list, err := os.ReadFile(filepath.Join(dir, "dist", ".packages"))
	if err != nil {
		return "", fmt.Errorf("read list of npm packages (run make packs): %w", err)
	}
	rows := map[string]bool{}
	var wrong []error
	for folder := range strings.FieldsSeq(string(list)) {
		row, err := npmRow(filepath.Join(dir, "node_modules", filepath.FromSlash(folder)))
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", folder, err))
			continue
		}
		rows[row] = true
	}
	var b strings.Builder
	b.WriteString(
		"\nPacked into it from npm: icons, typefaces, and scripts for the browser and for the embedded JavaScript engine. ")
	b.WriteString(
		"Font Awesome's icons are under CC-BY-4.0; brand icons are trademarks of their owners. The binary carries the licence texts.\n\n")
	b.WriteString("| package | version | licence (SPDX) |\n|---|---|---|\n")
	for _, row := range slices.Sorted(maps.Keys(rows)) {
		b.WriteString(row)
	}
	return b.String(), errors.Join(wrong...)
}

// npmRow returns one package's line. Its licence must be one that we may ship and match its licence text.
func npmRow(dir string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", fmt.Errorf("read package: %w", err)
	}
	var p npmPackage
	if err := json.Unmarshal(raw, &p); err != nil {
		return "", fmt.Errorf("read package: %w", err)
	}
	texts, err := licenceTexts(dir)
	if err != nil {
		return "", err
	}
	expression := strings.Trim(p.License, "()")
	if expression == "" { // then the licence file determines the licence
		expression = strings.Join(texts, " AND ")
	}
	names, err := chosen(expression)
	if err != nil {
		return "", err
	}
	if !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(texts, name) }) {
		return "", fmt.Errorf("it says its licence is %s, but its licence text is %s", expression,
			strings.Join(texts, " AND "))
	}
	return fmt.Sprintf("| %s | %s | %s |\n", p.Name, p.Version, expression), nil
}

// chosen returns the licences under which we use a package: all of A AND B, the allowed ones of A OR B. Nested
// expressions do not occur, so they are rejected.
func chosen(expression string) ([]string, error) {
	if expression == "" || strings.ContainsAny(expression, "()") ||
		strings.Contains(expression, " AND ") && strings.Contains(expression, " OR ") {
		return nil, fmt.Errorf("its licence %q is not one we can read", expression)
	}
	either := strings.Contains(expression, " OR ")
	var names []string
	for _, name := range strings.FieldsFunc(strings.NewReplacer(" AND ", "|", " OR ", "|").Replace(expression),
		func(r rune) bool { return r == '|' }) {
		if slices.Contains(allowed, name) {
			names = append(names, name)
		} else if !either {
			return nil, fmt.Errorf("its licence %s is not one we ship", name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("its licence %s is not one we ship", expression)
	}
	return names, nil
}
