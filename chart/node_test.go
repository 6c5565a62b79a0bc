package chart

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
)

// node runs pods like a kubelet, as far as that is possible without containers: volumes are folders, and each pod's
// containers are processes of the real binary with the rendered arguments and variables. They run as a user that owns
// only the files in its volumes.
type node struct {
	t       *testing.T
	folder  string
	claims  map[string]string            // the folders of volume claims, by name; they outlive pods
	secrets map[string]map[string]string // by name and key
	configs map[string]map[string]string
	uid     int               // user id, as OpenShift assigns one to a namespace; 0 if the tests are not root
	hosts   map[string]string // addresses of services, mapped to their targets
}

func newNode(t *testing.T) *node {
	t.Helper()
	folder, err := os.MkdirTemp("", "lectern-node-")
	if err != nil {
		t.Fatal(err)
	}
	n := &node{t: t, folder: folder, claims: map[string]string{}, secrets: map[string]map[string]string{},
		configs: map[string]map[string]string{}, hosts: map[string]string{}}
	t.Cleanup(func() {
		for _, file := range n.strays() {
			t.Errorf("a pod wrote %s, which is outside its volumes", file)
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		offset, err := rand.Int(rand.Reader, big.NewInt(100_000_000))
		if err != nil {
			t.Fatal(err)
		}
		n.uid = 1_000_000_000 + int(offset.Int64())
	}
	return n
}

// apply stores the contents of Secrets and ConfigMaps.
func (n *node) apply(objects []object) {
	n.t.Helper()
	for _, o := range objects {
		var into map[string]map[string]string
		var data any
		switch kind(o) {
		case "Secret":
			into, data = n.secrets, at(o, "stringData")
		case "ConfigMap":
			into, data = n.configs, at(o, "data")
		default:
			continue
		}
		into[nameOf(o)] = map[string]string{}
		for key := range data.(object) {
			into[nameOf(o)][key] = text(data, key)
		}
	}
}

// user returns the user and groups of a pod's containers: those in the pod, or those that OpenShift would assign.
func (n *node) user(p pod) (uid, gid, fsGroup int) {
	if named := number(p.spec, "securityContext", "runAsUser"); named != 0 {
		return int(named), int(number(p.spec, "securityContext", "runAsGroup")),
			int(number(p.spec, "securityContext", "fsGroup"))
	}
	return n.uid, 0, n.uid
}

// credential returns the credential for that user, or nil if the tests cannot choose users.
func (n *node) credential(p pod) *syscall.Credential {
	if n.uid == 0 {
		return nil
	}
	uid, gid, fsGroup := n.user(p)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), Groups: []uint32{uint32(fsGroup)}}
}

// mounts creates the folders of a pod's volumes. The result maps paths in the container to folders on this machine.
func (n *node) mounts(p pod, owner object, c object) map[string]string {
	n.t.Helper()
	folders := map[string]string{}
	for _, v := range list(p.spec, "volumes") {
		name := text(v, "name")
		switch {
		case at(v, "secret") != nil:
			folders[name] = n.project(name, n.secrets[text(v, "secret", "secretName")], list(v, "secret", "items"))
		case at(v, "configMap") != nil:
			folders[name] = n.project(name, n.configs[text(v, "configMap", "name")], list(v, "configMap", "items"))
		case at(v, "emptyDir") != nil:
			folders[name] = n.empty(p, name)
		case at(v, "persistentVolumeClaim") != nil:
			folders[name] = n.claim(p, text(v, "persistentVolumeClaim", "claimName"))
		default:
			n.t.Fatalf("%s: unknown kind of volume %v", p.owner, v)
		}
	}
	for _, v := range list(owner, "spec", "volumeClaimTemplates") {
		folders[nameOf(v.(object))] = n.claim(p, nameOf(v.(object))+"-"+nameOf(owner)+"-0")
	}
	out := map[string]string{}
	for _, m := range list(c, "volumeMounts") {
		folder, ok := folders[text(m, "name")]
		if !ok {
			n.t.Fatalf("%s mounts %s, which is not a volume", p.owner, text(m, "name"))
		}
		out[text(m, "mountPath")] = folder
	}
	return out
}

// empty creates a folder that the pod's group may write to, as Kubernetes does with fsGroup.
func (n *node) empty(p pod, name string) string {
	n.t.Helper()
	dir, err := os.MkdirTemp(n.folder, name+"-")
	if err == nil {
		err = os.Chmod(dir, 0o775|fs.ModeSetgid)
	}
	if err == nil && n.uid != 0 {
		_, _, fsGroup := n.user(p)
		err = os.Chown(dir, 0, fsGroup)
	}
	if err != nil {
		n.t.Fatal(err)
	}
	return dir
}

func (n *node) claim(p pod, name string) string {
	n.t.Helper()
	if n.claims[name] == "" {
		n.claims[name] = n.empty(p, name)
	}
	return n.claims[name]
}

// project writes the files of a Secret or ConfigMap, which the pod may only read.
func (n *node) project(volume string, data map[string]string, items []any) string {
	n.t.Helper()
	if data == nil {
		n.t.Fatalf("the volume %s refers to a Secret or ConfigMap that does not exist", volume)
	}
	names := map[string]string{}
	for key := range data {
		names[key] = key
	}
	if len(items) > 0 {
		clear(names)
	}
	for _, i := range items {
		names[text(i, "key")] = text(i, "path")
	}
	dir := filepath.Join(n.folder, volume)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		n.t.Fatal(err)
	}
	for key, name := range names {
		value, ok := data[key]
		if !ok {
			n.t.Fatalf("the volume %s refers to the key %s, which does not exist", volume, key)
		}
		replaceFile(n.t, filepath.Join(dir, name), value)
	}
	return dir
}

// replaceFile replaces a file atomically, as the kubelet does when a Secret changes.
func replaceFile(t *testing.T, name, value string) {
	t.Helper()
	if err := os.WriteFile(name+".new", []byte(value), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		t.Fatal(err)
	}
}

// ports maps each port of a container to a free port on this machine.
func (n *node) ports(c object) (byNumber map[int64]string, byName map[string]string) {
	n.t.Helper()
	byNumber, byName = map[int64]string{}, map[string]string{}
	for _, p := range list(c, "ports") {
		free, err := testserver.FreePort()
		if err != nil {
			n.t.Fatal(err)
		}
		byNumber[number(p, "containerPort")] = fmt.Sprintf("127.0.0.1:%d", free)
		byName[text(p, "name")] = byNumber[number(p, "containerPort")]
	}
	return byNumber, byName
}

// strays returns files that pods wrote outside their volumes (H2). Their user owns nothing else, so only world-writable
// folders are searched.
func (n *node) strays() (files []string) {
	for _, place := range []string{os.TempDir(), "/var/tmp", "/dev/shm", "/run", "/dev/mqueue"} {
		_ = filepath.WalkDir(place, func(path string, e fs.DirEntry, err error) error {
			if err != nil || path == n.folder {
				return fs.SkipDir // removed in the meantime, or the pods' own folder
			}
			info, err := e.Info()
			if err != nil {
				return nil // removed in the meantime
			}
			if n.uid != 0 && info.Sys().(*syscall.Stat_t).Uid == uint32(n.uid) {
				files = append(files, path)
			}
			if e.IsDir() && path != place && info.Mode().Perm()&0o002 == 0 {
				return fs.SkipDir
			}
			return nil
		})
	}
	return files
}

// Only root can create a stray file for this test.
func TestStrayFileIsFound(t *testing.T) {
	n := newNode(t)
	f, err := os.CreateTemp("", "lectern-stray-")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Remove(f.Name()) }()
	if err := errors.Join(f.Close(), os.Chown(f.Name(), max(n.uid, os.Geteuid()), -1)); err != nil {
		t.Fatal(err)
	}
	if found := slices.Contains(n.strays(), f.Name()); found != (n.uid != 0) {
		t.Errorf("found: %t", found)
	}
}

// here converts a string of the container for this machine: paths of volumes, ports, addresses of services.
func (n *node) here(s string, mounts map[string]string, ports map[int64]string) string {
	for service, address := range n.hosts {
		s = strings.ReplaceAll(s, service, address)
	}
	prefix, value, isFlag := strings.Cut(s, "=")
	if !isFlag || !strings.HasPrefix(s, "--") {
		prefix, value = "", s
	} else {
		prefix += "="
	}
	for path, folder := range mounts {
		if value == path || strings.HasPrefix(value, path+"/") {
			return prefix + folder + strings.TrimPrefix(value, path)
		}
	}
	for port, address := range ports {
		if value == fmt.Sprintf(":%d", port) {
			return prefix + address
		}
	}
	return s
}
