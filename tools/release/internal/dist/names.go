package dist

import "github.com/lectern-docs/lectern/tools/release/internal/program"

// Names of the files in a release; the verification uses the same ones.
const (
	SumsFile      = "SHA256SUMS"
	SignatureFile = "SHA256SUMS.sig"

	staticImage, platformImage = "lectern", "lectern-platform"
)

// Images returns the names of a release's images.
func Images() []string { return []string{staticImage, platformImage} }

// Archive returns the name of the archive with a platform's program.
func Archive(version string, p program.Platform) string { return folder(version, p) + ".tar.gz" }

// Parts returns the name of the parts list of a platform's program.
func Parts(version string, p program.Platform) string { return folder(version, p) + ".cdx.json" }

// Deb returns the name of an architecture's Debian package.
func Deb(version, arch string) string { return "lectern_" + version + "_" + arch + ".deb" }

// Image returns the name of the archive with an image's layout, for all architectures.
func Image(name, version string) string { return name + "-image_" + version + ".oci.tar" }

// ImageParts returns the name of the parts list of an image for one architecture.
func ImageParts(name, version, arch string) string {
	return name + "-image_" + version + "_" + arch + ".cdx.json"
}

// Chart returns the name of the packed chart.
func Chart(version string) string { return "lectern-" + version + ".tgz" }

// Provenance returns the name of the provenance statement about all other files.
func Provenance(version string) string { return "lectern_" + version + "_provenance.json" }

// Sealed returns the name of the signed statement.
func Sealed(version string) string { return "lectern_" + version + "_provenance.intoto.jsonl" }

func folder(version string, p program.Platform) string {
	return "lectern_" + version + "_" + p.OS + "_" + p.Arch
}
