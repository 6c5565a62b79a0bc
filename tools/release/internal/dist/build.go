package dist

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lectern-docs/lectern/tools/release/internal/attest"
	"github.com/lectern-docs/lectern/tools/release/internal/bom"
	"github.com/lectern-docs/lectern/tools/release/internal/debian"
	"github.com/lectern-docs/lectern/tools/release/internal/program"
	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

// Repository is where the source is published.
const Repository = "https://github.com/lectern-docs/lectern"

// Release contains everything that affects the bytes of a release.
type Release struct {
	Source    program.Source
	Platforms []program.Platform
	Lock      debian.Lock
	Store     debian.Store
	Builder   string       // URL that identifies the builder
	Log       func(string) // called with a line for each written file
}

// building is a release being built.
type building struct {
	Release
	dir      string
	sums     attest.Sums
	licences bom.Licences
	npm      []bom.Component
	papers   []tree.File       // LICENSE, NOTICE and THIRD_PARTY.md
	linux    map[string][]byte // programs by architecture, for packages and images
}

// Write builds a release into dir, which must be empty or missing.
func (r Release) Write(ctx context.Context, dir string) error {
	if err := r.Source.Check(); err != nil {
		return err
	}
	if old, err := os.ReadDir(dir); err == nil && len(old) > 0 {
		return fmt.Errorf("write release: the folder %s is not empty", dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write release: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write release: %w", err)
	}
	b := &building{Release: r, dir: dir, sums: attest.Sums{}, linux: map[string][]byte{}}
	if err := b.read(); err != nil {
		return err
	}
	for _, p := range r.Platforms {
		if err := b.platform(ctx, p); err != nil {
			return err
		}
	}
	for _, step := range []func(context.Context) error{b.images, b.chart, b.attest} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// read reads files shared by all platforms from the checkout.
func (b *building) read() error {
	for _, name := range []string{"LICENSE", "NOTICE", "THIRD_PARTY.md"} {
		body, err := os.ReadFile(filepath.Join(b.Source.Root, name))
		if err != nil {
			return fmt.Errorf("read licence files: %w", err)
		}
		b.papers = append(b.papers, tree.File{Name: name, Mode: 0o644, Body: body})
		if name == "THIRD_PARTY.md" {
			b.licences = bom.ParseLicences(string(body))
		}
	}
	var err error
	b.npm, err = bom.NPM(b.Source.Root, b.licences)
	return err
}

// platform builds a program and its packages.
func (b *building) platform(ctx context.Context, p program.Platform) error {
	exe, err := b.Source.Build(ctx, p)
	if err != nil {
		return err
	}
	version := b.Source.Number()
	modules, err := bom.Modules(exe, b.licences)
	if err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	parts, err := bom.New(bom.Program("lectern", version, exe), append(modules, b.npm...), b.Source.Time).Bytes()
	if err != nil {
		return err
	}
	files := append([]tree.File{{Name: "lectern", Mode: 0o755, Body: exe}}, b.papers...)
	packed, err := tree.TarGz(folder(version, p)+"/", files, b.Source.Time)
	if err != nil {
		return err
	}
	if err := errors.Join(b.add(Parts(version, p), parts), b.add(Archive(version, p), packed)); err != nil {
		return err
	}
	if p.OS != "linux" {
		return nil
	}
	b.linux[p.Arch] = exe
	return b.deb(p.Arch, exe)
}

// add writes a file of the release.
func (b *building) add(name string, body []byte) error {
	if err := os.WriteFile(filepath.Join(b.dir, name), body, 0o644); err != nil {
		return fmt.Errorf("write release: %w", err)
	}
	b.sums[name] = attest.Of(map[string][]byte{name: body})[name]
	b.Log(fmt.Sprintf("%-44s %6.1f MB", name, float64(len(body))/1e6))
	return nil
}
