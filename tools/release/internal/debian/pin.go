package debian

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/ulikunitz/xz"
)

// roots lists the packages that contain an image's programs and certificates.
var roots = []string{"git", "openssh-client", "dash", "libgcc-s1", "ca-certificates"}

// passed lists dependencies that only maintainer scripts, man pages and Perl need. An image uses none of these.
var passed = []string{"perl", "liberror-perl", "git-man", "debconf", "adduser", "passwd", "openssl",
	"init-system-helpers", "debianutils"}

const maxIndex = 256 << 20 // bytes of an index

// Pin reads the suite's signed indexes and locks the newest packages that an image needs. snapshot is the time in the
// format of snapshot names.
func (s Store) Pin(ctx context.Context, suite, snapshot, keyring string, arches []string) (Lock, error) {
	l := Lock{Suite: suite, Snapshot: snapshot}
	for _, arch := range arches {
		known := map[string]candidate{}
		// The order matters: if both have the same version, the first one's path is used.
		for _, from := range [][2]string{{"debian", suite}, {"debian-security", suite + "-security"}} {
			number, err := s.index(ctx, from[0], from[1], arch, keyring, known)
			if err != nil {
				return Lock{}, err
			}
			l.Release, _, _ = strings.Cut(number, ".")
		}
		wanted, err := closure(known)
		if err != nil {
			return Lock{}, err
		}
		contents, pinned := map[string]Content{}, map[string]Package{}
		for _, c := range wanted {
			c.Arch = arch
			b, err := s.Fetch(ctx, l, c.Package)
			if err != nil {
				return Lock{}, err
			}
			if contents[c.Name], err = Unpack(b); err != nil {
				return Lock{}, fmt.Errorf("read %s: %w", c.Name, err)
			}
			pinned[c.Name] = c.Package
		}
		_, used, err := Pick(contents)
		if err != nil {
			return Lock{}, err
		}
		for _, name := range append([]string{"ca-certificates"}, used...) {
			l.Packages = append(l.Packages, pinned[name])
		}
	}
	return l, nil
}

type candidate struct {
	Package
	depends []string // first name of each alternative
}

// index verifies an archive's index and adds its packages, unless a newer version is already known. It returns the
// release's number.
func (s Store) index(ctx context.Context, archive, suite, arch, keyring string, known map[string]candidate) (string,
	error) {
	base := strings.TrimSuffix(s.Mirror, "/") + "/" + archive + "/dists/" + suite
	signed, err := s.get(ctx, base+"/InRelease", maxIndex)
	if err != nil {
		return "", err
	}
	release, err := verified(ctx, signed, keyring)
	if err != nil {
		return "", fmt.Errorf("verify %s: %w", suite, err)
	}
	name := "main/binary-" + arch + "/Packages.xz"
	packed, err := s.get(ctx, base+"/"+name, maxIndex)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(packed)
	if !slices.ContainsFunc(strings.Split(section(release, "SHA256"), "\n"), func(line string) bool {
		f := strings.Fields(line)
		return len(f) == 3 && f[0] == hex.EncodeToString(sum[:]) && f[2] == name
	}) {
		return "", fmt.Errorf("verify %s: the digest of %s is not in the signed list", suite, name)
	}
	plain, err := xz.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", fmt.Errorf("unpack %s: %w", name, err)
	}
	text, err := io.ReadAll(plain)
	if err != nil {
		return "", fmt.Errorf("unpack %s: %w", name, err)
	}
	for _, stanza := range strings.Split(string(text), "\n\n") {
		c, err := candidateOf(stanza, archive)
		if err != nil || c.Name == "" {
			continue // packages that no mirror provides must not affect others
		}
		if old, ok := known[c.Name]; !ok || newer(ctx, c.Version, old.Version) {
			known[c.Name] = c
		}
	}
	return section(release, "Version"), nil
}

// verified returns the text after verifying Debian's signature.
func verified(ctx context.Context, signed []byte, keyring string) (string, error) {
	f, err := os.CreateTemp("", "inrelease-*")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(signed)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "gpgv", "--quiet", "--keyring", keyring, "--output", "-", f.Name())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, stderr.String())
	}
	return string(out), nil
}

func newer(ctx context.Context, a, b string) bool {
	return exec.CommandContext(ctx, "dpkg", "--compare-versions", a, "gt", b).Run() == nil
}
