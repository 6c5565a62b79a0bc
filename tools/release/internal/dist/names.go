package dist

import "github.com/lectern-docs/lectern/tools/release/internal/program"

// Names of the files in a release of a version; what proves a release looks for the same ones.
const (
	SumsFile      = "SHA256SUMS"
	SignatureFile = "SHA256SUMS.sig"

	staticImage, platformImage = "lectern", "lectern-platform"
)

// Images returns the names of the images that a release has.
func Images() []string { return []string{staticImage, platformImage} }

// Archive returns the file with a platform's program.
func Archive(version string, p program.Platform) string { return folder(version, p) + ".tar.gz" }

// Parts returns the list of parts of a platform's program.
func Parts(version string, p program.Platform) string { return folder(version, p) + ".cdx.json" }

// Deb returns the Debian package of an architecture.
func Deb(version, arch string) string { return "lectern_" + version + "_" + arch + ".deb" }

// Image returns the archive of an image's layout, for all architectures.
func Image(name, version string) string { return name + "-image_" + version + ".oci.tar" }

// ImageParts returns the list of parts of an image of one architecture.
func ImageParts(name, version, arch string) string {
	return name + "-image_" + version + "_" + arch + ".cdx.json"
}

// Chart returns the packed chart.
func Chart(version string) string { return "lectern-" + version + ".tgz" }

// Provenance returns the statement about where everything else comes from.
func Provenance(version string) string { return "lectern_" + version + "_provenance.json" }

// Sealed returns the same statement, signed.
func Sealed(version string) string { return "lectern_" + version + "_provenance.intoto.jsonl" }

func folder(version string, p program.Platform) string {
	return "lectern_" + version + "_" + p.OS + "_" + p.Arch
}
