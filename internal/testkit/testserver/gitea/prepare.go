package gitea

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// settings configures a server that is reachable only from this machine and stores everything in its folder.
// Values: user, folder, static files, port, URL, three secrets.
const settings = `APP_NAME = Gitea
RUN_MODE = prod
RUN_USER = %[1]s
WORK_PATH = %[2]s
[server]
PROTOCOL = http
HTTP_ADDR = 127.0.0.1
HTTP_PORT = %[4]d
ROOT_URL = %[5]s/
STATIC_ROOT_PATH = %[3]s
APP_DATA_PATH = %[2]s/data
DISABLE_SSH = true
OFFLINE_MODE = true
LFS_START_SERVER = false
[database]
DB_TYPE = sqlite3
PATH = %[2]s/data/gitea.db
SQLITE_TIMEOUT = 30000
SQLITE_JOURNAL_MODE = WAL
[security]
INSTALL_LOCK = true
SECRET_KEY = %[6]s
INTERNAL_TOKEN = %[7]s
PASSWORD_HASH_ALGO = pbkdf2$1000$50
[oauth2]
ENABLED = true
DEFAULT_APPLICATIONS =
JWT_SIGNING_ALGORITHM = ES256
JWT_SECRET = %[8]s
[repository]
ROOT = %[2]s/repositories
DEFAULT_BRANCH = main
[service]
DISABLE_REGISTRATION = true
[webhook]
ALLOWED_HOST_LIST = loopback
[log]
MODE = console
LEVEL = Warn
ROOT_PATH = %[2]s/log
[indexer]
ISSUE_INDEXER_TYPE = db
[cron]
ENABLED = false
[actions]
ENABLED = false
[packages]
ENABLED = false
[picture]
DISABLE_GRAVATAR = true
`

// prepare fills the server's folder. If the tests run as root, the server runs as another user, who may not have access
// to the cache, so the program and files are linked or copied into the folder.
func (s *Server) prepare(files string, port int) error {
	name, err := s.chooseUser()
	if err != nil {
		return err
	}
	static := files
	if s.owner != nil {
		static = filepath.Join(s.folder, "static")
		if err := plant(files, static); err != nil {
			return fmt.Errorf("copy server files: %w", err)
		}
	}
	s.program = filepath.Join(static, "gitea")
	signing := base64.RawURLEncoding.EncodeToString([]byte(rand.Text() + rand.Text())[:32])
	text := fmt.Sprintf(settings, name, s.folder, static, port, s.URL, rand.Text()+rand.Text(), rand.Text()+rand.Text(),
		signing)
	if err := os.WriteFile(filepath.Join(s.folder, "app.ini"), []byte(text), 0o600); err != nil {
		return err
	}
	if s.owner == nil {
		return nil
	}
	return filepath.WalkDir(s.folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() && filepath.Dir(path) != s.folder {
			return err // cached files keep their owner, because they may be hard links
		}
		return os.Chown(path, int(s.owner.Uid), int(s.owner.Gid))
	})
}

// chooseUser sets the user that the server runs as, and returns the user's name.
func (s *Server) chooseUser() (string, error) {
	if os.Geteuid() != 0 {
		u, err := user.Current()
		if err != nil {
			return "", err
		}
		return u.Username, nil
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		return "", fmt.Errorf("find a user other than root: %w", err)
	}
	uid, errUID := strconv.ParseUint(u.Uid, 10, 32)
	gid, errGID := strconv.ParseUint(u.Gid, 10, 32)
	s.owner = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return u.Username, errors.Join(errUID, errGID)
}

// plant hard-links a tree of files to another place, or copies the files if that is on another file system.
func plant(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, path[len(from):])
		if d.IsDir() {
			return os.Mkdir(target, 0o755)
		}
		if os.Link(path, target) == nil {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if filepath.Base(path) == "gitea" {
			mode = 0o755
		}
		return os.WriteFile(target, data, mode)
	})
}
