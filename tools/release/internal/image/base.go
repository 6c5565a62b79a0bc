package image

import (
	"io/fs"

	"github.com/lectern-docs/lectern/tools/release/internal/tree"
)

// User is the user and group that an image's process has unless the container runtime sets another. It is a number: a
// cluster cannot report whether a name is root.
const User = 65532

// Data is the folder that the process may write to. Group 0 may too: OpenShift runs images as a random user of that
// group.
const Data = "var/lib/lectern"

// Base returns the files that every program expects around it.
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

// Merged returns the links of a system whose programs and libraries are all in /usr; the loader of programs is named by
// a path outside it.
func Merged(release string) []tree.File {
	link := func(name string) tree.File { return tree.File{Name: name, Mode: 0o777, Link: "usr/" + name} }
	return []tree.File{link("bin"), link("lib"), link("lib64"),
		{Name: "etc/os-release", Mode: 0o644, Body: []byte(release)}}
}
