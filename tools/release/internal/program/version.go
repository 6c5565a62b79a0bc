package program

import (
	"fmt"
	"regexp"
	"strings"
)

var semantic = regexp.MustCompile(`^v?(\d+\.\d+\.\d+)(-[0-9A-Za-z.-]+)?$`)

// Number returns the version in the form for packages, charts and image tags: 1.2.3 for v1.2.3. A checkout without a
// release tag, whose version is an abbreviated commit, gets 0.0.0-COMMIT, so that such packages sort before every
// release.
func (s Source) Number() string {
	if m := semantic.FindStringSubmatch(s.Version); m != nil {
		return m[1] + m[2]
	}
	return "0.0.0-" + strings.Trim(regexp.MustCompile(`[^0-9A-Za-z.]+`).ReplaceAllString(s.Version, "-"), "-.")
}

// Debian returns the number in Debian's form, where a tilde makes 1.2.0~rc.1 older than 1.2.0.
func (s Source) Debian() string { return strings.Replace(s.Number(), "-", "~", 1) }

// Check rejects versions that cannot be part of file names and build flags.
func (s Source) Check() error {
	if !regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.+_-]{0,99}$`).MatchString(s.Version) {
		return fmt.Errorf("invalid version %q: only letters, digits, dots, hyphens, underscores and plus signs are allowed",
			s.Version)
	}
	return nil
}
