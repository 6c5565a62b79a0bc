package guard

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"unicode"
)

const (
	maxSource = 4 << 20 // bytes of a file that are searched for hosts; larger files are data
	maxHosts  = 100_000 // known hosts that are collected
	maxQuery  = 200     // bytes after the host; genuine links are rarely longer
)

// textEnds are the extensions of files that may mention hosts.
var textEnds = words(".md .mdx .json .yaml .yml .html .htm .css .js .mjs .jsx .ts .tsx .svg .txt .xml .toml")

// Hosts collects the hosts that a site mentions in text that its readers can see. Comments and invisible text do not
// count, so that nobody can make a host known by hiding it. Example hosts and hosts of private networks are not listed,
// since they are always allowed.
func Hosts(ctx context.Context, fsys fs.FS) (map[string]bool, error) {
	known := map[string]bool{}
	err := fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if e.IsDir() && name != "." && (strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules") {
			return fs.SkipDir
		}
		if !e.Type().IsRegular() || !textEnds[strings.ToLower(path.Ext(name))] || len(known) >= maxHosts {
			return nil
		}
		if info, err := e.Info(); err != nil || info.Size() > maxSource {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		hostsIn(Clean(string(data)), func(host, _ string) { known[host] = true })
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("collect hosts: %w", err)
	}
	return known, nil
}

// hosts reports addresses on new lines whose host the site did not mention, and addresses that could exfiltrate
// data.
func (c *checker) hosts(a *added) {
	reported := map[string]bool{}
	for i, line := range a.lines {
		if !a.fresh[i] {
			continue
		}
		hostsIn(line, func(host, where string) { c.host(a, i+1, host, where, reported) })
	}
}

func (c *checker) host(a *added, line int, host, where string, reported map[string]bool) {
	if _, query, ok := strings.Cut(where, "?"); ok && len(query) > maxQuery && !reported[where] {
		reported[where] = true
		c.addFinding(line, AddressData, false, "The line has an address at %s that contains %d bytes of data.",
			shown(host), len(query))
	}
	if c.rules.KnownHosts[host] || reported[host] {
		return
	}
	reported[host] = true
	c.addFinding(line, NewHost, c.rules.RefuseNewHosts, "The line links to %s, which the site did not mention before.",
		shown(host))
}

// shown returns a host in a form that people can trust: non-ASCII letters, which may look like others, are escaped.
func shown(host string) string {
	if strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) {
		return strconv.QuoteToASCII(host)
	}
	return host
}
