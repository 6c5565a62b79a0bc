package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/devserve"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/source/filewatch"
)

// dev measures the preview of a site with a thousand pages: the time from start to the first page, and the time from
// an author's save until a client has received the new page, which includes file system events, the event stream and
// the request for the page. Each is compared with a complete build of the same folder.
func dev(ctx context.Context, o options) error {
	n := o.pages * 5 / 2
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	if err := writeFolder(dir, 1, n, kind{math: true}); err != nil {
		return err
	}
	begin := time.Now()
	if err := buildSite(ctx, dir, n, nil); err != nil {
		return err
	}
	whole := time.Since(begin)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p, err := openPreview(ctx, dir)
	if err != nil {
		return err
	}
	defer p.close()
	heading(fmt.Sprintf("the preview of %d pages (ms)", n), "takes", "whole build", "ratio")
	row("start to first page", ms(p.ready), ms(whole))
	page := filepath.Join(dir, filepath.FromSlash(pagePath(n/2))+".mdx")
	source, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	head, body, ok := bytes.Cut(source, []byte("\n---\n"))
	if !ok {
		return errors.New("the page has no front matter")
	}
	for _, k := range []struct {
		name  string
		write func(i int) error
	}{
		{"save of a text to the new page", func(i int) error {
			return os.WriteFile(page, fmt.Appendf(nil, "%s\n---\n%s\n\nmark-%d\n", head, body, i), 0o644)
		}},
		{"save of a title to the new page", func(i int) error {
			return os.WriteFile(page, fmt.Appendf(nil, "---\ntitle: \"mark-%d\"\n---\n%s", i, body), 0o644)
		}},
		{"save of a snippet to the new page", func(i int) error {
			return errors.Join(os.WriteFile(page,
				fmt.Appendf(nil, "%s\n---\nimport S from \"/snippets/setup-0.mdx\";\n\n<S />\n", head), 0o644),
				os.WriteFile(filepath.Join(dir, "snippets", "setup-0.mdx"), fmt.Appendf(nil, "mark-%d\n", i), 0o644))
		}},
	} {
		var took []time.Duration
		for i := range 2*o.rounds + 1 {
			t, err := p.edit(ctx, "/"+pagePath(n/2), fmt.Sprintf("mark-%d", i), func() error { return k.write(i) })
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			if i > 0 { // the first run is a warm-up
				took = append(took, t)
			}
		}
		slices.Sort(took)
		row(k.name+", median", ms(took[len(took)/2]), ms(whole))
		row(k.name+", worst", ms(took[len(took)-1]), ms(whole))
	}
	return nil
}

// preview is a running preview with a client that listens to its events.
type preview struct {
	url   string
	ready time.Duration
	news  *bufio.Scanner
	close func()
}

func openPreview(ctx context.Context, dir string) (*preview, error) {
	begin := time.Now()
	tools, err := build.NewTools()
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	live := build.NewLive(root.FS(), build.Options{Links: link.Clean, Tools: tools,
		Offers: capability.Offers{Search: true}, Workers: runtime.GOMAXPROCS(0)})
	s := devserve.New(devserve.Options{Live: live, Source: root.FS(), Now: time.Now, Say: func(string) {}})
	watching := make(chan struct{})
	go func() {
		// if this fails, the benchmark notices the missed change
		_ = filewatch.Run(ctx, filewatch.Options{Dir: dir, Ready: func() { close(watching) }},
			func(files []string) { _ = s.Changed(ctx, files) })
	}()
	<-watching
	if err := s.Changed(ctx, nil); err != nil {
		return nil, err
	}
	go s.Run(ctx)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	p := &preview{url: "http://" + listener.Addr().String()}
	p.close = func() {
		_ = server.Close() // the process ends anyway
		live.Close()
		_, _ = tools.Close(), root.Close()
	}
	if _, err := p.get(ctx, "/"+pagePath(0)); err != nil {
		return nil, err
	}
	p.ready = time.Since(begin)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/_lectern/dev/events", nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	p.news = bufio.NewScanner(resp.Body) // closed with ctx
	p.news.Scan()
	return p, nil
}

// edit saves a change and waits until the announced page contains the mark.
func (p *preview) edit(ctx context.Context, page, mark string, save func() error) (time.Duration, error) {
	begin := time.Now()
	if err := save(); err != nil {
		return 0, err
	}
	for p.news.Scan() {
		if text := p.news.Text(); !strings.Contains(text, page) && !strings.Contains(text, `"whole":true`) {
			continue
		}
		body, err := p.get(ctx, page)
		if err != nil {
			return 0, err
		}
		if bytes.Contains(body, []byte(mark)) {
			return time.Since(begin), nil
		}
	}
	return 0, errors.New("the event stream ended")
}

func (p *preview) get(ctx context.Context, page string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+page, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }() // read to its end
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s responded %s", page, resp.Status)
	}
	return io.ReadAll(resp.Body)
}
