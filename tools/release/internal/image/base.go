package image

import (
	"io/fs"

	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

// User is the user and group of an image's process unless the container runtime sets another. It is numeric, because
// a cluster cannot verify that a named user is not root.
const User = 65532

// Data is the folder that the process may write to. Group 0 may write too, because OpenShift runs images as a random
// user of that group.
const Data = "var/lib/lectern"

// Base returns the files that every program expects.
func Base(certificates tree.File) []tree.File {
	text := func(name, body string) tree.File { return tree.File{Name: name, Mode: 0o644, Body: []byte(body)} }
	data := tree.Dir(Data, 0o770)
	data.UID = User
	return []tree.File{
		text("etc/passwd",
			"root:x:0:0:root:/:/usr/sbin/nologin\nlectern:x:65532:65532:lectern:/var/lib/lectern:/usr/sbin/nologin\n"+
				"nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"),
		text("etc/group", "root:x:0:\nlectern:x:65532:\nnogroup:x:65534:\n"),
		text("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"),
		certificates,
		tree.Dir("tmp", 0o777|fs.ModeSticky),
		data,
	}
}

// Merged returns the links of a system whose programs and libraries are all in /usr; programs refer to the loader by
// a path outside it.
func Merged(release string) []tree.File {
	link := func(name string) tree.File { return tree.File{Name: name, Mode: 0o777, Link: "usr/" + name} }
	return []tree.File{link("bin"), link("lib"), link("lib64"),
		{Name: "etc/os-release", Mode: 0o644, Body: []byte(release)}}
}
