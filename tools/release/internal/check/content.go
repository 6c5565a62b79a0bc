package check

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/tools/release/internal/attest"
	"github.com/lectern-docs/lectern/tools/release/internal/bom"
	"github.com/lectern-docs/lectern/tools/release/internal/debian"
	"github.com/lectern-docs/lectern/tools/release/internal/dist"
	"github.com/lectern-docs/lectern/tools/release/internal/program"
)

const maxFile = 512 << 20 // bytes of one file in an archive

// archives reads each platform's program and compares its list of parts with the program's build information.
func (f *found) archives() error {
	for _, p := range f.opt.Platforms {
		name := dist.Archive(f.version, p)
		packed, ok := f.files[name]
		if !ok {
			return fmt.Errorf("%s is missing", name)
		}
		zip, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		files, err := untar(zip)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		folder := strings.TrimSuffix(name, ".tar.gz") + "/"
		for _, paper := range []string{"lectern", "LICENSE", "NOTICE", "THIRD_PARTY.md"} {
			if len(files[folder+paper]) == 0 {
				return fmt.Errorf("%s has no %s", name, paper)
			}
		}
		f.programs[p] = files[folder+"lectern"]
		if err := f.parts(dist.Parts(f.version, p), f.programs[p], false); err != nil {
			return err
		}
	}
	return nil
}

// parts compares a list of parts with a program: the digest and the modules must be the same. An image's list also
// contains the program itself.
func (f *found) parts(name string, exe []byte, ofImage bool) error {
	raw, ok := f.files[name]
	if !ok {
		return fmt.Errorf("%s is missing", name)
	}
	d, err := bom.Parse(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	about := []bom.Component{d.Metadata.Component}
	if ofImage {
		about = slices.DeleteFunc(slices.Clone(d.Components), func(c bom.Component) bool { return c.Ref != "lectern" })
	}
	digest := attest.Of(map[string][]byte{"": exe})[""]
	if len(about) != 1 || len(about[0].Hashes) != 1 || about[0].Hashes[0].Content != digest {
		return fmt.Errorf("%s does not describe the program in the release", name)
	}
	info, err := buildinfo.Read(bytes.NewReader(exe))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	want := map[string]bool{"pkg:golang/stdlib@" + strings.TrimPrefix(info.GoVersion, "go"): true}
	for _, m := range info.Deps {
		want["pkg:golang/"+m.Path+"@"+m.Version] = true
	}
	for _, c := range d.Components {
		if strings.HasPrefix(c.PURL, "pkg:golang/") && !want[c.PURL] {
			return fmt.Errorf("%s names %s, which is not in the program", name, c.PURL)
		}
		delete(want, c.PURL)
	}
	for purl := range want {
		return fmt.Errorf("%s does not name %s", name, purl)
	}
	return nil
}

// debs checks that the packages contain the same programs as the archives.
func (f *found) debs() error {
	for _, p := range f.opt.Platforms {
		if p.OS != "linux" {
			continue
		}
		name := dist.Deb(f.version, p.Arch)
		body, ok := f.files[name]
		if !ok {
			return fmt.Errorf("%s is missing", name)
		}
		c, err := debian.Unpack(body)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if !strings.Contains(c.Control, "\nArchitecture: "+p.Arch+"\n") ||
			!strings.Contains(c.Control, "\nVersion: "+program.Source{Version: f.version}.Debian()+"\n") {
			return fmt.Errorf("the architecture or version of %s differs from its name", name)
		}
		same := false
		for _, file := range c.Files {
			same = same || file.Name == "usr/bin/lectern" && bytes.Equal(file.Body, f.programs[p])
		}
		if !same {
			return fmt.Errorf("%s contains another program than the archive", name)
		}
	}
	return nil
}

// chart checks the chart's version.
func (f *found) chart() error {
	packed, ok := f.files[dist.Chart(f.version)]
	if !ok {
		return fmt.Errorf("%s is missing", dist.Chart(f.version))
	}
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return fmt.Errorf("chart: %w", err)
	}
	files, err := untar(zip)
	if err != nil {
		return fmt.Errorf("chart: %w", err)
	}
	text := "\n" + string(files["lectern/Chart.yaml"])
	if !strings.Contains(text, "\nversion: "+f.version+"\n") ||
		!strings.Contains(text, "\nappVersion: \""+f.version+"\"\n") {
		return errors.New("the chart has another version")
	}
	return nil
}

// untar reads regular files; duplicate names, and anything but files and folders, are errors.
func untar(r io.Reader) (map[string][]byte, error) {
	out := map[string][]byte{}
	for tr := tar.NewReader(r); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag == tar.TypeDir {
			continue
		}
		if _, twice := out[h.Name]; twice || h.Typeflag != tar.TypeReg {
			return nil, fmt.Errorf("%s appears twice or is not a file", h.Name)
		}
		body, err := io.ReadAll(io.LimitReader(tr, maxFile+1))
		if err != nil || len(body) > maxFile {
			return nil, fmt.Errorf("%s cannot be read, or is too large: %w", h.Name, err)
		}
		out[h.Name] = body
	}
}
