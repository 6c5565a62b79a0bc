package evaluation

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// state is a docs folder before and after an agent's work.
type state struct {
	before, after map[string]string // path → content
	summary       string
	cited         []project.Receipt
}

// newState reads a folder and applies an agent's changes to it.
func newState(folder fs.FS, made agent.Made) (state, error) {
	s := state{before: map[string]string{}, summary: made.Summary, cited: made.Receipts}
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(folder, name)
		s.before[name] = string(data)
		return err
	})
	if err != nil {
		return s, fmt.Errorf("read repository: %w", err)
	}
	s.after = maps.Clone(s.before)
	for _, c := range made.Changes {
		if c.After == nil {
			delete(s.after, c.Path)
		} else {
			s.after[c.Path] = string(c.After)
		}
	}
	return s, nil
}

// differing lists the files that have changed.
func (s state) differing() (out []string) {
	for name, was := range s.before {
		if now, ok := s.after[name]; !ok || now != was {
			out = append(out, name)
		}
	}
	for name := range s.after {
		if _, ok := s.before[name]; !ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// check is one grader.
type check struct {
	text   string
	limits bool // the check restricts which files may change
	passes func(state) bool
}

// verbs maps the name of each grader to the number of paths it takes, and whether a regular expression follows.
var verbs = map[string]struct {
	paths, most int
	pattern     bool
	make        func(paths []string, re *regexp.Regexp) func(state) bool
}{
	"has": {1, 1, true, func(p []string, re *regexp.Regexp) func(state) bool {
		return func(s state) bool { return re.MatchString(s.after[p[0]]) }
	}},
	"lacks": {1, 1, true, func(p []string, re *regexp.Regexp) func(state) bool {
		return func(s state) bool { text, ok := s.after[p[0]]; return ok && !re.MatchString(text) }
	}},
	"says": {0, 0, true, func(_ []string, re *regexp.Regexp) func(state) bool {
		return func(s state) bool { return re.MatchString(s.summary) }
	}},
	"file": {1, 1, false, func(p []string, _ *regexp.Regexp) func(state) bool {
		return func(s state) bool { _, ok := s.after[p[0]]; return ok }
	}},
	"cites": {2, 2, false, func(p []string, _ *regexp.Regexp) func(state) bool { // a page, and a file of the product
		return func(s state) bool {
			return slices.ContainsFunc(s.cited, func(r project.Receipt) bool { return r.Page == p[0] && r.Path == p[1] })
		}
	}},
	"gone": {1, 1, false, func(p []string, _ *regexp.Regexp) func(state) bool {
		return func(s state) bool { _, was := s.before[p[0]]; _, is := s.after[p[0]]; return was && !is }
	}},
	"nav": {1, 1, false, func(p []string, _ *regexp.Regexp) func(state) bool {
		return func(s state) bool { return listed(s.after, p[0]) }
	}},
	"nonav": {1, 1, false, func(p []string, _ *regexp.Regexp) func(state) bool {
		return func(s state) bool { return !listed(s.after, p[0]) }
	}},
	"redirect": {2, 2, false, func(p []string, _ *regexp.Regexp) func(state) bool {
		return func(s state) bool { return redirects(s.after, p[0], p[1]) }
	}},
	"moved": {2, 2, false, func(p []string, _ *regexp.Regexp) func(state) bool {
		return func(s state) bool { return s.moved(p[0], p[1]) }
	}},
	"deleted": {1, 2, false, func(p []string, _ *regexp.Regexp) func(state) bool {
		return func(s state) bool { return s.deleted(p) }
	}},
}

func parseCheck(text string) (check, error) {
	name, rest, _ := strings.Cut(text, " ")
	c := check{text: text}
	switch name {
	case "only", "same":
		list := strings.Fields(rest)
		if len(list) == 0 {
			return c, fmt.Errorf("grader %q needs paths", text)
		}
		c.limits = true
		c.passes = func(s state) bool {
			return !slices.ContainsFunc(s.differing(), func(f string) bool { return within(f, list) == (name == "same") })
		}
		return c, nil
	}
	v, ok := verbs[name]
	if !ok {
		return c, fmt.Errorf("unknown grader %q", text)
	}
	var re *regexp.Regexp
	var paths []string
	if v.pattern {
		for range v.paths {
			path, after, _ := strings.Cut(rest, " ")
			paths, rest = append(paths, path), after
		}
		var err error
		if re, err = regexp.Compile(rest); err != nil || rest == "" {
			return c, fmt.Errorf("grader %q: invalid expression", text)
		}
	} else if paths = strings.Fields(rest); len(paths) < v.paths || len(paths) > v.most {
		return c, fmt.Errorf("grader %q has the wrong number of paths", text)
	}
	c.passes = v.make(paths, re)
	return c, nil
}

// within reports whether a file is in a list; an entry with a trailing slash is a folder, and "." means everything.
func within(file string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool {
		return p == "." || file == p || strings.HasSuffix(p, "/") && strings.HasPrefix(file, p)
	})
}

// siteFile is the part of docs.json that graders read.
type siteFile struct {
	Navigation json.RawMessage
	Redirects  []site.Redirect
}

func readSite(files map[string]string) (out siteFile) {
	_ = json.Unmarshal([]byte(files["docs.json"]), &out) // an invalid file has no navigation
	return out
}

func listed(files map[string]string, page string) bool {
	return strings.Contains(string(readSite(files).Navigation), `"`+page+`"`)
}

// redirects reports whether a redirect, with or without a wildcard, leads from the old address of a page to another
// one.
func redirects(files map[string]string, from, to string) bool {
	dest, _, ok := link.NewRedirects(readSite(files).Redirects).Match("/" + from)
	dest = strings.Trim(dest, "/")
	return ok && (dest == to || dest == "" && to == "index")
}

// linked reports whether a page has a link to another.
func linked(files map[string]string, page string) bool {
	re := regexp.MustCompile(`[("]/` + regexp.QuoteMeta(page) + `[)"#]`)
	for name, text := range files {
		if strings.HasSuffix(name, ".mdx") && re.MatchString(text) {
			return true
		}
	}
	return false
}

// moved reports whether a page has moved, and navigation, links and redirects are updated.
func (s state) moved(from, to string) bool {
	_, is := s.after[to+".mdx"]
	return is && s.deleted([]string{from}) && redirects(s.after, from, to) && listed(s.after, to) == listed(s.before, from)
}

// deleted reports whether a page is deleted, nothing refers to it, and, if a target is given, a redirect leads
// there.
func (s state) deleted(p []string) bool {
	_, was := s.before[p[0]+".mdx"]
	_, is := s.after[p[0]+".mdx"]
	return was && !is && !listed(s.after, p[0]) && !linked(s.after, p[0]) && (len(p) == 1 || redirects(s.after, p[0], p[1]))
}
