package deb

import (
	"bytes"
	// required by the format for dpkg --verify, which finds damaged files; not used for security
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

// Package is the content of a Debian package.
type Package struct {
	Name, Version, Arch string
	Maintainer          string
	Section, Homepage   string
	Summary             string // one line
	Description         string // lines; an empty one separates paragraphs
	Depends, Recommends []string
	Files               []tree.File
	Conffiles           []string          // absolute paths of files that administrators may change
	Scripts             map[string]string // postinst, prerm, postrm
	Time                time.Time
}

// Bytes encodes the package as an ar archive with the format's version, the control files and the data files.
func (p Package) Bytes() ([]byte, error) {
	files, err := tree.Complete(p.Files)
	if err != nil {
		return nil, err
	}
	for _, c := range p.Conffiles {
		if !slices.ContainsFunc(files,
			func(f tree.File) bool { return "/"+f.Name == c && f.Mode.IsRegular() && f.Link == "" }) {
			return nil, fmt.Errorf("write package: the conffile %s is not among its files", c)
		}
	}
	control, err := tree.TarGz("./", p.control(files), p.Time)
	if err != nil {
		return nil, err
	}
	data, err := tree.TarGz("./", files, p.Time)
	if err != nil {
		return nil, err
	}
	out := bytes.NewBufferString("!<arch>\n")
	for _, m := range []struct {
		name string
		body []byte
	}{{"debian-binary", []byte("2.0\n")}, {"control.tar.gz", control}, {"data.tar.gz", data}} {
		fmt.Fprintf(out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", m.name, p.Time.Unix(), 0, 0, "100644", len(m.body))
		out.Write(m.body)
		if len(m.body)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}

func (p Package) control(files []tree.File) []tree.File {
	out := []tree.File{{Name: "control", Mode: 0o644, Body: []byte(p.stanza(files))},
		{Name: "md5sums", Mode: 0o644, Body: []byte(p.sums(files))}}
	if len(p.Conffiles) > 0 {
		out = append(out, tree.File{Name: "conffiles", Mode: 0o644,
			Body: []byte(strings.Join(p.Conffiles, "\n") + "\n")})
	}
	for name, text := range p.Scripts {
		out = append(out, tree.File{Name: name, Mode: 0o755, Body: []byte(text)})
	}
	return out
}

func (p Package) stanza(files []tree.File) string {
	var size int
	for _, f := range files {
		size += (len(f.Body) + 1023) / 1024
	}
	var b strings.Builder
	for _, field := range [][2]string{{"Package", p.Name}, {"Version", p.Version}, {"Architecture", p.Arch},
		{"Maintainer", p.Maintainer},
		{"Installed-Size", fmt.Sprint(size)}, {"Depends", strings.Join(p.Depends, ", ")},
		{"Recommends", strings.Join(p.Recommends, ", ")},
		{"Section", p.Section}, {"Priority", "optional"}, {"Homepage", p.Homepage}, {"Description", p.Summary}} {
		if field[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", field[0], field[1])
		}
	}
	for line := range strings.SplitSeq(strings.TrimSpace(p.Description), "\n") {
		if line == "" {
			line = "."
		}
		b.WriteString(" " + line + "\n")
	}
	return b.String()
}

// sums lists the MD5 digests of the files, except conffiles, which dpkg tracks itself.
func (p Package) sums(files []tree.File) string {
	var b strings.Builder
	for _, f := range files {
		if f.Mode.IsDir() || f.Link != "" || slices.Contains(p.Conffiles, "/"+f.Name) {
			continue
		}
		sum := md5.Sum(f.Body)
		fmt.Fprintf(&b, "%s  %s\n", hex.EncodeToString(sum[:]), f.Name)
	}
	return b.String()
}
