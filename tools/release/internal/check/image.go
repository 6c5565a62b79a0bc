package check

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/lectern-docs/lectern/tools/release/internal/dist"
	"github.com/lectern-docs/lectern/tools/release/internal/image"
	"github.com/lectern-docs/lectern/tools/release/internal/program"
)

// Budget returns the maximum size of an image of one architecture, in bytes of its compressed layers.
func Budget(name string) int64 {
	if name == "lectern" {
		return 30 << 20
	}
	return 45 << 20
}

// images parses the layouts and compares them with the archives and lists of parts.
func (f *found) images() error {
	if !slices.ContainsFunc(f.opt.Platforms, func(p program.Platform) bool { return p.OS == "linux" }) {
		return nil
	}
	for _, name := range dist.Images() {
		file := dist.Image(name, f.version)
		body, ok := f.files[file]
		if !ok {
			return fmt.Errorf("%s is missing", file)
		}
		layout, err := image.Parse(body)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := f.image(name, layout); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

func (f *found) image(name string, layout *image.Read) error {
	var have []string
	for _, v := range layout.Variants {
		have = append(have, v.Platform.Architecture)
		exe, ok := f.programs[program.Platform{OS: v.Platform.OS, Arch: v.Platform.Architecture}]
		if !ok {
			return fmt.Errorf("it has an image for %s/%s, but the release has no program for that", v.Platform.OS,
				v.Platform.Architecture)
		}
		inside, err := fileIn(v.Layers, "usr/bin/lectern")
		if err != nil {
			return err
		}
		if !bytes.Equal(inside, exe) {
			return fmt.Errorf("the image for %s has another program than the archive", v.Platform.Architecture)
		}
		list := dist.ImageParts(name, f.version, v.Platform.Architecture)
		if !bytes.Equal(v.Parts, f.files[list]) {
			return fmt.Errorf("%s differs from the list in the image for %s", list, v.Platform.Architecture)
		}
		if err := f.parts(list, exe, true); err != nil {
			return err
		}
		c := v.Config.Config
		if c.User != fmt.Sprintf("%d:%d", image.User, image.User) ||
			c.Labels["org.opencontainers.image.revision"] != f.commit ||
			c.Labels["org.opencontainers.image.version"] != f.version {
			return fmt.Errorf("the image for %s has another user, commit or version",
				v.Platform.Architecture)
		}
		if v.Packed > Budget(name) {
			return fmt.Errorf("the image for %s has %d bytes, more than the limit of %d", v.Platform.Architecture,
				v.Packed, Budget(name))
		}
	}
	for _, p := range f.opt.Platforms {
		if p.OS == "linux" && !slices.Contains(have, p.Arch) {
			return fmt.Errorf("it has no image for %s", p.Arch)
		}
	}
	return nil
}

// fileIn finds a file in the topmost layer that contains it.
func fileIn(layers [][]byte, name string) ([]byte, error) {
	for _, layer := range slices.Backward(layers) {
		for tr := tar.NewReader(bytes.NewReader(layer)); ; {
			h, err := tr.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, err
			}
			if h.Name == name {
				return io.ReadAll(tr)
			}
		}
	}
	return nil, fmt.Errorf("it has no %s", name)
}

// complete rejects a release with missing or unknown files.
func (f *found) complete() error {
	known := []string{dist.SumsFile, dist.Provenance(f.version), dist.Chart(f.version)}
	if f.opt.Key != nil {
		known = append(known, dist.SignatureFile, dist.Sealed(f.version))
	}
	for _, p := range f.opt.Platforms {
		known = append(known, dist.Archive(f.version, p), dist.Parts(f.version, p))
		if p.OS != "linux" {
			continue
		}
		known = append(known, dist.Deb(f.version, p.Arch))
		for _, name := range dist.Images() {
			known = append(known, dist.Image(name, f.version), dist.ImageParts(name, f.version, p.Arch))
		}
	}
	for _, name := range known {
		if _, ok := f.files[name]; !ok {
			return fmt.Errorf("%s is missing", name)
		}
	}
	for name := range f.files {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%s is not part of a release", name)
		}
	}
	return nil
}
