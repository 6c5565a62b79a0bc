package git

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func TestRepositoryURLs(t *testing.T) {
	cases := []struct{ url, code string }{
		{"https://code.example.com/team/docs.git", ""},
		{"https://code.example.com:8443/team/docs", ""},
		{"https://reader@code.example.com/team/docs.git", ""},
		{"https://Code.Example.com/x", ""},
		{"HTTPS://code.example.com/x", "bad_repository_url"}, // git would look for a program with that name
		{"FILE:///srv/docs.git", "local_source_not_allowed"},
		{"http://code.example.com/x.git", ""}, // the cache decides by host
		{"ssh://git@code.example.com/team/docs.git", ""},
		{"ssh://git@code.example.com:2222/team/docs.git", ""},
		{"ssh://git@[2001:db8::1]:22/x.git", ""},
		{"git@code.example.com:team/docs.git", ""},
		{"code.example.com:docs.git", ""},
		{"git@[2001:db8::1]:x.git", ""},
		{"file:///srv/docs.git", "local_source_not_allowed"},
		{"/srv/docs.git", "local_source_not_allowed"},
		{"", "bad_repository_url"},
		{"docs.git", "unsupported_repository_url"},
		{"../docs.git", "unsupported_repository_url"},
		{"git://code.example.com/x.git", "unsupported_repository_url"},
		{"ftp://code.example.com/x.git", "unsupported_repository_url"},
		{"ext::sh -c touch% /tmp/pwned", "bad_repository_url"},
		{"ext::sh", "unsupported_repository_url"},
		{"fd::17/foo", "unsupported_repository_url"},
		{"ext::https://code.example.com/x.git", "unsupported_repository_url"},
		{"transport::https://x/y", "unsupported_repository_url"},
		{"javascript:alert(1)", ""}, // a host named javascript, over ssh through the guard
		{"--upload-pack=touch", "bad_repository_url"},
		{"-oProxyCommand=touch:x", "bad_repository_url"},
		{"ssh://-oProxyCommand=touch/x", "bad_repository_url"},
		{"ssh://git@-oProxyCommand=touch/x", "bad_repository_url"},
		{"-x@host:path", "bad_repository_url"},
		{"git@-host:path", "bad_repository_url"},
		{"git@host:-path", "bad_repository_url"},
		{"ssh://git@host/-path", "bad_repository_url"},
		{"ssh://-l@host/path", "bad_repository_url"},
		{"git@ho`st:path", "bad_repository_url"},
		{"git@ho$(st):path", "bad_repository_url"},
		{"https://user:secret@code.example.com/x.git", "password_in_url"},
		{"https://:secret@code.example.com/x.git", "password_in_url"},
		{"https://user:@code.example.com/x.git", "password_in_url"},
		{"https://@code.example.com/x.git", "bad_repository_url"},
		{"https://a%0ab@code.example.com/x.git", "bad_repository_url"},
		{"https://code.example.com", "bad_repository_url"},
		{"https://code.example.com/", "bad_repository_url"},
		{"https:///x.git", "bad_repository_url"},
		{"https://code.example.com/x.git?a=b", "bad_repository_url"},
		{"https://code.example.com/x.git#frag", "bad_repository_url"},
		{"https://code.example.com/x y.git", "bad_repository_url"},
		{"https://code.example.com/x\n.git", "bad_repository_url"},
		{"https://code.example.com/x\x00.git", "bad_repository_url"},
		{"https://code.example.com:port/x.git", "bad_repository_url"},
		{"https://code.exa%6dple.com%2f@evil/x", "bad_repository_url"},
		{"https://ünïcode.example/x.git", "bad_repository_url"},
		{strings.Repeat("a", 3000), "bad_repository_url"},
	}
	for _, c := range cases {
		err := ValidateURL(c.url, false)
		f, _ := fault.As(err)
		switch {
		case c.code == "" && err != nil:
			t.Errorf("%.60q: %v", c.url, err)
		case c.code != "" && (f == nil || f.Code != c.code || f.Kind != fault.Invalid ||
			f.Field != "source.repository" || f.Hint == ""):
			t.Errorf("%.60q: %v, want %s", c.url, err, c.code)
		case f != nil && strings.Contains(f.Error(), "secret"):
			t.Errorf("%.60q: the error repeats the password", c.url)
		}
	}
	for _, u := range []string{"file:///srv/docs.git", "/srv/my docs.git", "file:///srv/my%20docs.git"} {
		if err := ValidateURL(u, true); err != nil {
			t.Errorf("%s with local sources on: %v", u, err)
		}
	}
	for _, u := range []string{"file://host/srv", "file://relative", "srv/docs", "ext::sh", "file:///a?b"} {
		if err := ValidateURL(u, true); err == nil {
			t.Errorf("%s was accepted", u)
		}
	}
}

// ValidateBranch must never accept a name that git refuses.
func TestBranchNamesFollowGitsRules(t *testing.T) {
	names := []string{"main", "release/2.0", "feature-x", "a.b", "ü", "@a", "a@b", "HEAD2", "a-", "x/-y",
		"-x", "--upload-pack=x", "a..b", "a b", "a~b", "a^b", "a:b", "a?b", "a*b", "a[b", `a\b`, "/a", "a/", "a//b",
		".a", "a/.b", "a.lock", "a.lock/b",
		"a.", "a@{b", "@", "a\tb", "a\nb", "a\x7fb", "a\x00b", strings.Repeat("n", 251)}
	for i, name := range names {
		if err := ValidateBranch(name); (err == nil) != (i < 10) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func FuzzValidateBranch(f *testing.F) {
	for _, s := range []string{"main", "a/b", "a.lock", "@{", "..", "-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if name == "" || strings.ContainsRune(name, 0) || ValidateBranch(name) != nil {
			return
		}
		if err := exec.Command("git", "check-ref-format", "refs/heads/"+name).Run(); err != nil {
			t.Fatalf("git refuses %q", name)
		}
	})
}

func FuzzValidateURL(f *testing.F) {
	for _, s := range []string{"https://h/p", "ssh://git@h:22/p", "git@h:p", "ext::x", "/a", "file:///a",
		"https://u:p@h/x", "-x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		o, err := parseURL(raw, false)
		if err != nil {
			return
		}
		if strings.HasPrefix(raw, "-") || strings.HasPrefix(o.host, "-") || o.host == "" ||
			strings.ContainsAny(raw, "\x00\r\n\t ") {
			t.Fatalf("accepted %q", raw)
		}
		if o.scheme != "https" && o.scheme != "http" && o.scheme != "ssh" {
			t.Fatalf("accepted %q as %s", raw, o.scheme)
		}
	})
}
