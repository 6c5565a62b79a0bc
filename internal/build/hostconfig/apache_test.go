package hostconfig

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
)

// A real Apache server reads the rules as .htaccess and responds accordingly.
func TestApacheFollowsGeneratedRules(t *testing.T) {
	dir, run := tree(t), folder(t)
	rules, err := os.ReadFile(filepath.Join(dir, Folder, "apache.conf"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".htaccess"), rules, 0o644); err != nil {
		t.Fatal(err)
	}
	port, err := testserver.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	config := filepath.Join(run, "httpd.conf")
	text := fmt.Sprintf(
		"ServerName docs.example.com\nServerRoot %q\nPidFile %q\nListen %s\nErrorLog /dev/stderr\nMutex file:%s default\nUser nobody\nGroup #65534\n", run, filepath.Join(run, "pid"), address, run)
	for _, m := range []string{"mpm_event", "authz_core", "dir", "mime", "headers", "rewrite"} {
		text += fmt.Sprintf("LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so\n", m, m)
	}
	text += fmt.Sprintf(
		"TypesConfig /dev/null\nAddType text/html .html\nDocumentRoot %q\n<Directory %q>\nAllowOverride All\nRequire all granted\n</Directory>\n", dir, dir)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	// the workers of a server that root starts run as another user
	for _, shut := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(shut, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	start(t, run, "resuming normal operations", "apache2", "-D", "FOREGROUND", "-f", config)
	judge(t, func(ctx context.Context) (net.Conn, error) { return (&net.Dialer{}).DialContext(ctx, "tcp", address) })
}
