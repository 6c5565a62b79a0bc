package dist

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/tools/release/internal/bom"
	"github.com/lectern-docs/lectern/tools/release/internal/debian"
	"github.com/lectern-docs/lectern/tools/release/internal/image"
	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

// system contains the files from Debian for one architecture.
type system struct {
	certificates tree.File
	files        []tree.File
	packages     []debian.Package // packages from which files were taken
	bundle       debian.Package   // the package with the certificates
}

// images writes the static image and the one with git. Both share the layers with the certificates and the program.
func (b *building) images(ctx context.Context) error {
	variants := map[string][]image.Variant{}
	for _, arch := range slices.Sorted(maps.Keys(b.linux)) {
		s, err := b.system(ctx, arch)
		if err != nil {
			return err
		}
		l, err := b.layers(arch, s)
		if err != nil {
			return err
		}
		for _, name := range Images() {
			v, err := b.variant(name, arch, s, l)
			if err != nil {
				return err
			}
			if err := b.add(ImageParts(name, b.Source.Number(), arch), v.Parts); err != nil {
				return err
			}
			variants[name] = append(variants[name], v)
		}
	}
	for _, name := range Images() {
		if len(variants[name]) == 0 {
			continue // a release without Linux platforms
		}
		body, err := b.image(name).Layout(variants[name])
		if err != nil {
			return fmt.Errorf("image %s: %w", name, err)
		}
		if err := b.add(Image(name, b.Source.Number()), body); err != nil {
			return err
		}
	}
	return nil
}

func (b *building) image(name string) image.Image {
	i := image.Image{
		Name: name, Title: "Serves exported documentation bundles; one static program, no shell.",
		Version: b.Source.Number(), Revision: b.Source.Commit,
		Source: Repository, Time: b.Source.Time, Entrypoint: []string{"/usr/bin/lectern"}, Command: []string{"--help"},
		Environment: []string{"PATH=/usr/local/bin:/usr/bin:/bin", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt",
			"LECTERN_DATA=/" + image.Data, "LECTERN_LISTEN=0.0.0.0:8080"},
	}
	if name == platformImage {
		i.Title,
			i.Command = "Documentation platform: the program with the git and ssh that it fetches repositories with.",
			[]string{"serve"}
		// Container logs are stored even for containers with a terminal, so they must not contain secrets.
		i.Environment = append(i.Environment, "LECTERN_FIRST_SECRETS=off")
	}
	return i
}

// layers contains an architecture's layers: the base of every image, the platform image's additional files, and the
// program.
type layers struct{ base, debian, program image.Layer }

func (b *building) layers(arch string, s system) (l layers, err error) {
	release := fmt.Sprintf(
		"PRETTY_NAME=\"Lectern on files of Debian %s\"\nNAME=\"Debian GNU/Linux\"\nID=debian\nVERSION_ID=\"%s\"\nVERSION_CODENAME=%s\n",
		b.Lock.Release, b.Lock.Release, b.Lock.Suite)
	files := []tree.File{{Name: "usr/bin/lectern", Mode: 0o755, Body: b.linux[arch]}}
	for _, f := range b.papers {
		f.Name = "usr/share/doc/lectern/" + f.Name
		files = append(files, f)
	}
	if l.base, err = image.NewLayer("certificates and the few files that programs expect", image.Base(s.certificates),
		b.Source.Time); err != nil {
		return l, err
	}
	if l.debian, err = image.NewLayer("git, ssh and a shell, from Debian", append(image.Merged(release), s.files...),
		b.Source.Time); err != nil {
		return l, err
	}
	l.program, err = image.NewLayer("lectern", files, b.Source.Time)
	return l, err
}

func (b *building) variant(name, arch string, s system, l layers) (image.Variant, error) {
	v := image.Variant{Arch: arch, Layers: []image.Layer{l.base}}
	packages := []debian.Package{s.bundle}
	if name == platformImage {
		v.Layers = append(v.Layers, l.debian)
		packages = append(packages, s.packages...)
	}
	v.Layers = append(v.Layers, l.program)
	modules, err := bom.Modules(b.linux[arch], b.licences)
	if err != nil {
		return v, err
	}
	parts := append([]bom.Component{bom.Program("lectern", b.Source.Number(), b.linux[arch])}, modules...)
	parts = append(append(parts, b.npm...), bom.Debian("debian-"+b.Lock.Release, packages)...)
	about := bom.Component{Type: "container", Ref: name + "-image", Name: name, Version: b.Source.Number()}
	v.Parts, err = bom.New(about, parts, b.Source.Time).Bytes()
	return v, err
}

// system fetches and unpacks Debian packages.
func (b *building) system(ctx context.Context, arch string) (system, error) {
	contents, pinned := map[string]debian.Content{}, map[string]debian.Package{}
	for _, p := range b.Lock.For(arch) {
		body, err := b.Store.Fetch(ctx, b.Lock, p)
		if err != nil {
			return system{}, err
		}
		if contents[p.Name], err = debian.Unpack(body); err != nil {
			return system{}, fmt.Errorf("%s: %w", p.Name, err)
		}
		pinned[p.Name] = p
	}
	const bundle = "ca-certificates"
	s := system{bundle: pinned[bundle]}
	var err error
	if s.certificates, err = debian.Certificates(contents[bundle]); err != nil {
		return s, err
	}
	delete(contents, bundle)
	var used []string
	if s.files, used, err = debian.Pick(contents); err != nil {
		return s, err
	}
	if len(used) != len(contents) {
		return s, fmt.Errorf("the lock file has unused packages for %s: only %s are used", arch,
			strings.Join(used, ", "))
	}
	for _, name := range used {
		s.packages = append(s.packages, pinned[name])
	}
	return s, nil
}
