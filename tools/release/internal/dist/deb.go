package dist

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lectern-docs/lectern/tools/release/internal/deb"
	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

// deb writes the Debian package of an architecture.
func (b *building) deb(arch string, exe []byte) error {
	p := deb.Package{
		Name: "lectern", Version: b.Source.Debian(), Arch: arch, Section: "web", Homepage: Repository,
		Maintainer: "The Lectern Authors <lectern-docs@users.noreply.github.com>",
		Summary:    "documentation platform in one program",
		Description: "Lectern publishes documentation sites from folders and Git repositories, serves\nthem by host name, and exports each as a self-contained archive.\n\n" +
			"The package has the program and a service, lectern.service, which is not started\nby the installation.",
		Depends: []string{"git", "ca-certificates", "passwd"}, Recommends: []string{"openssh-client"},
		Conffiles: []string{"/etc/lectern/lectern.env", "/etc/lectern/lectern.yaml"},
		Scripts:   map[string]string{}, Time: b.Source.Time,
	}
	p.Files = []tree.File{{Name: "usr/bin/lectern", Mode: 0o755, Body: exe}}
	for _, f := range []struct {
		from, to string
		mode     fs.FileMode
	}{
		{"lectern.service", "usr/lib/systemd/system/lectern.service", 0o644},
		{"lectern.yaml", "etc/lectern/lectern.yaml", 0o644},
		{"lectern.env", "etc/lectern/lectern.env", 0o600},
		{"deb/copyright", "usr/share/doc/lectern/copyright", 0o644},
	} {
		body, err := b.packaging(f.from)
		if err != nil {
			return err
		}
		p.Files = append(p.Files, tree.File{Name: f.to, Mode: f.mode, Body: body})
	}
	for _, f := range b.papers[1:] { // the licence is one of Debian's common ones
		f.Name = "usr/share/doc/lectern/" + f.Name
		p.Files = append(p.Files, f)
	}
	for _, name := range []string{"postinst", "prerm", "postrm"} {
		body, err := b.packaging("deb/" + name)
		if err != nil {
			return err
		}
		p.Scripts[name] = string(body)
	}
	body, err := p.Bytes()
	if err != nil {
		return fmt.Errorf("package for %s: %w", arch, err)
	}
	return b.add(Deb(b.Source.Number(), arch), body)
}

func (b *building) packaging(name string) ([]byte, error) {
	body, err := os.ReadFile(filepath.Join(b.Source.Root, "packaging", filepath.FromSlash(name)))
	if err != nil {
		return nil, fmt.Errorf("read packaging: %w", err)
	}
	return body, nil
}
