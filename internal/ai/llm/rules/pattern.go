package rules

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled on first use, so that it costs nothing in a program that never
// reads requests loosely.
type pattern struct{ compiled func() *regexp.Regexp }

func loosely(text string) *pattern {
	return &pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

// MatchString reports whether s contains a match.
func (p *pattern) MatchString(s string) bool { return p.compiled().MatchString(s) }

// FindString returns the first match; "" = none.
func (p *pattern) FindString(s string) string { return p.compiled().FindString(s) }

// FindStringSubmatch returns the first match with its groups; nil = none.
func (p *pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

// all returns all matches with their groups.
func (p *pattern) all(s string) [][]string { return p.compiled().FindAllStringSubmatch(s, -1) }
