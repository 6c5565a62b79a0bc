package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// nginxRules is a tuned nginx configuration for a folder: one worker per core, sendfile, precompressed files, an open
// file cache, no log.
const nginxRules = `daemon off;
pid %[1]s/nginx.pid;
error_log stderr error;
worker_processes %[2]d;
events { worker_connections 2048; }
http {
	types { text/html html; text/csv csv; text/css css; text/javascript js; }
	charset utf-8;
	access_log off;
	sendfile on;
	tcp_nopush on;
	keepalive_timeout 120s;
	keepalive_requests 100000000;
	open_file_cache max=1000 inactive=60s;
	client_body_temp_path %[1]s/body;
	proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/fastcgi;
	uwsgi_temp_path %[1]s/uwsgi;
	scgi_temp_path %[1]s/scgi;
	server {
		listen %[3]s backlog=1024;
		root %[4]s;
		gzip_static on;
		add_header Cache-Control "public, max-age=0, must-revalidate";
		location / { try_files $uri $uri.html =404; }
	}
}
`

// startNginx serves a folder with nginx.
func startNginx(ctx context.Context, work, folder string) (*process, time.Duration, error) {
	program, err := exec.LookPath("nginx")
	if err != nil {
		program = "/usr/sbin/nginx" // Debian's path, which is not in PATH for ordinary users
	}
	return start(ctx, "/small", func(address string) *exec.Cmd {
		rules := filepath.Join(work, "nginx.conf")
		if err := os.WriteFile(rules, fmt.Appendf(nil, nginxRules, work, runtime.NumCPU(), address, folder),
			0o644); err != nil {
			return exec.CommandContext(ctx, "false") // if the file cannot be written, the process fails to start
		}
		return exec.CommandContext(ctx, program, "-c", rules, "-p", work, "-e", "stderr")
	})
}

// family returns the ids of a process and its children.
func family(pid int) []int {
	out := []int{pid}
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return out
	}
	for _, word := range strings.Fields(string(children)) {
		var child int
		if _, err := fmt.Sscan(word, &child); err == nil {
			out = append(out, child)
		}
	}
	return out
}
