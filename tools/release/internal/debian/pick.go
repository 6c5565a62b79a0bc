package debian

import (
	"bytes"
	"debug/elf"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

// programs lists the programs that the server runs: git, its https helper, ssh, and the shell that git uses to run ssh
// and to ask for passwords.
var programs = []string{"usr/bin/git", "usr/lib/git-core/git-remote-http", "usr/bin/ssh", "usr/bin/dash"}

// loaded lists libraries that no program refers to but that the C library loads when a thread ends.
var loaded = []string{"libgcc_s.so.1"}

// Pick selects from unpacked packages the programs that an image needs, all libraries that they depend on, and the
// copyright files of their packages. used lists the selected packages, sorted. A missing library is an error.
func Pick(packages map[string]Content) (files []tree.File, used []string, err error) {
	p := picking{at: map[string]owned{}, out: map[string]tree.File{}, used: map[string]bool{}}
	for name, c := range packages {
		for _, f := range c.Files {
			if !f.Mode.IsDir() {
				p.at[place(f.Name)] = owned{f, name}
			}
		}
	}
	for _, name := range programs {
		if err := p.take(name); err != nil {
			return nil, nil, err
		}
	}
	for _, lib := range loaded {
		if err := p.library(lib); err != nil {
			return nil, nil, err
		}
	}
	p.builtins()
	for name := range p.used {
		doc := "usr/share/doc/" + name + "/copyright"
		if o, ok := p.at[doc]; ok {
			p.out[doc] = o.file
		}
		p.out["var/lib/dpkg/status.d/"+name] = tree.File{Name: "var/lib/dpkg/status.d/" + name, Mode: 0o644,
			Body: []byte(packages[name].Control)}
	}
	return slices.Collect(maps.Values(p.out)), slices.Sorted(maps.Keys(p.used)), nil
}

type owned struct {
	file tree.File
	by   string
}

type picking struct {
	at   map[string]owned
	out  map[string]tree.File
	used map[string]bool
}

// place returns a file's path on a system where /bin, /lib and the like are links into /usr.
func place(name string) string {
	for _, dir := range []string{"bin/", "sbin/", "lib/", "lib64/"} {
		if strings.HasPrefix(name, dir) {
			return "usr/" + name
		}
	}
	return name
}

// take selects a file, the target of a link, and the libraries that a program needs.
func (p *picking) take(name string) error {
	o, ok := p.at[name]
	if !ok {
		return fmt.Errorf("pick files: no package has %s", name)
	}
	if _, done := p.out[name]; done {
		return nil
	}
	f := o.file
	f.Name = name
	p.out[name], p.used[o.by] = f, true
	if f.Link != "" {
		to := path.Join(path.Dir(name), f.Link)
		if path.IsAbs(f.Link) {
			to = f.Link[1:]
		}
		return p.take(place(path.Clean(to)))
	}
	return p.needs(f)
}

func (p *picking) needs(f tree.File) error {
	binary, err := elf.NewFile(bytes.NewReader(f.Body))
	if err != nil {
		return fmt.Errorf("read %s: %w", f.Name, err)
	}
	libraries, err := binary.ImportedLibraries()
	if err != nil {
		return fmt.Errorf("read libraries of %s: %w", f.Name, err)
	}
	for _, s := range binary.Progs {
		if s.Type != elf.PT_INTERP {
			continue
		}
		raw := make([]byte, s.Filesz)
		if _, err := s.ReadAt(raw, 0); err != nil {
			return fmt.Errorf("read loader of %s: %w", f.Name, err)
		}
		if err := p.take(place(strings.Trim(string(raw), "/\x00"))); err != nil {
			return err
		}
	}
	for _, lib := range libraries {
		if err := p.library(lib); err != nil {
			return fmt.Errorf("%w, which %s needs", err, f.Name)
		}
	}
	return nil
}

// library selects a library from the folders that the loader searches: the architecture's folder or its parent.
func (p *picking) library(lib string) error {
	for _, dir := range []string{"usr/lib/x86_64-linux-gnu/", "usr/lib/aarch64-linux-gnu/", "usr/lib/", "usr/lib64/"} {
		if _, ok := p.at[dir+lib]; ok {
			return p.take(dir + lib)
		}
	}
	return fmt.Errorf("pick files: no package has the library %s", lib)
}

// builtins adds the names under which git runs itself and its https helper. The second copy of git becomes a link to
// the first.
func (p *picking) builtins() {
	const core = "usr/lib/git-core/"
	for name, o := range p.at {
		f := o.file
		if f.Name = name; path.Dir(name)+"/" != core {
			continue
		}
		switch {
		case bytes.Equal(f.Body, p.out["usr/bin/git"].Body) && f.Link == "":
			f.Body, f.Link = nil, "../../bin/git"
		case f.Link != "git" && f.Link != "git-remote-http" && f.Link != "../../bin/git":
			continue
		}
		p.out[name] = f
	}
	sh := tree.File{Name: "usr/bin/sh", Mode: 0o777, Link: "dash"}
	p.out[sh.Name] = sh
}
