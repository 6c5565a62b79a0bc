package refversion_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/refversion"
)

func refs(names ...string) (out []refversion.Ref) {
	for i, name := range names {
		full := "refs/heads/" + name
		if tag, ok := strings.CutPrefix(name, "tag:"); ok {
			full = "refs/tags/" + tag
		}
		out = append(out, refversion.Ref{Name: full, Commit: strings.Repeat(string(rune('a'+i%6)), 40)})
	}
	return out
}

func names(s refversion.Selection) string {
	var out []string
	for _, v := range s.Versions {
		out = append(out, v.Name)
	}
	return strings.Join(out, " ")
}

func TestSelectOrdersVersionsAndFindsTheDefault(t *testing.T) {
	for name, c := range map[string]struct {
		rules         refversion.Rules
		refs          []refversion.Ref
		want, root    string
		alias, target string
	}{
		"newest release first": {
			refversion.Rules{Tags: []string{"v*"}},
			refs("main", "tag:v1.2.0", "tag:v1.10.0", "tag:v1.9.0", "tag:v2.0.0-rc.1", "tag:v2.0.0-rc.10", "tag:nightly"),
			"v2.0.0-rc.10 v2.0.0-rc.1 v1.10.0 v1.9.0 v1.2.0", "v1.10.0", "", "",
		},
		"capture, branch first, alias": {
			refversion.Rules{Branches: []string{"main", "release/(*)"}, Default: "latest",
				Aliases: map[string]string{"latest": "stable", "next": "main"}},
			refs("main", "release/1.2", "release/2.0", "feature/x", "release/a/b"),
			"main 2.0 1.2", "2.0", "next", "main",
		},
		"excluded": {
			refversion.Rules{Tags: []string{"v*"}, Exclude: []string{"*-rc*", "v0.*"}},
			refs("tag:v0.9", "tag:v1.0-rc1", "tag:v1.0"), "v1.0", "v1.0", "", "",
		},
		"listed order": {
			refversion.Rules{Branches: []string{"*"}, Order: []string{"lts", "main"}, Default: "main"},
			refs("1.0", "2.0", "main", "lts"), "lts main 2.0 1.0", "main", "", "",
		},
		"limit keeps the default": {
			refversion.Rules{Tags: []string{"*"}, Default: "1.0", Limit: 2},
			refs("tag:1.0", "tag:2.0", "tag:3.0", "tag:4.0"), "4.0 1.0", "1.0", "", "",
		},
		"only prereleases": {
			refversion.Rules{Tags: []string{"*"}, Branches: []string{"main"}},
			refs("main", "tag:1.0-beta"), "main 1.0-beta", "main", "", "",
		},
		"tag before the branch of the same name": {
			refversion.Rules{Tags: []string{"(*)"}, Branches: []string{"release/(*)"}},
			refs("release/1.0", "tag:1.0"), "1.0", "1.0", "", "",
		},
		"dates": {
			refversion.Rules{Tags: []string{"*"}},
			refs("tag:2024-04-01", "tag:2023-12-31", "tag:2024-10-01", "tag:2024-4-15", "tag:20250101120000"),
			"20250101120000 2024-10-01 2024-4-15 2024-04-01 2023-12-31", "20250101120000", "", "",
		},
		"words before numbers": {
			refversion.Rules{Tags: []string{"*"}},
			refs("tag:go1.9", "tag:go1.22rc1", "tag:go1.22", "tag:go1", "tag:go1.22rc10", "tag:go1.22rc9", "tag:go1.22.1"),
			"go1.22.1 go1.22 go1.22rc10 go1.22rc9 go1.22rc1 go1.9 go1", "go1.22.1", "", "",
		},
		"semantic versions with a number as prerelease, and revisions": {
			refversion.Rules{Tags: []string{"*"}},
			refs("tag:1.0.0", "tag:1.0.0-2", "tag:1.0.0-10", "tag:0.9-2", "tag:0.9-10", "tag:0.9"),
			"1.0.0 1.0.0-10 1.0.0-2 0.9-10 0.9-2 0.9", "1.0.0", "", "",
		},
		"names without a version": {
			refversion.Rules{Branches: []string{"*"}}, refs("beta10", "beta9", "main", "tag:1.0"), "beta9 beta10 main", "main", "", "",
		},
		"names that cannot be addresses": {
			refversion.Rules{Tags: []string{"**"}}, refs("tag:a b", "tag:mcp", "tag:x/1.0"), "x-1.0", "x-1.0", "", "",
		},
	} {
		got := c.rules.Select(c.refs, "main")
		if names(got) != c.want || got.Default != c.root || got.Aliases[c.alias] != c.target {
			t.Errorf("%s: %s, default %s, aliases %v, problems %v", name, names(got), got.Default, got.Aliases, got.Problems)
		}
	}
}

func TestSelectReportsOmissionsAndInvalidRules(t *testing.T) {
	got := refversion.Rules{Tags: []string{"*"}, Branches: []string{"*"}, Default: "gone", Limit: 1,
		Aliases: map[string]string{"x": "y"}}.Select(refs("1.0", "tag:1.0", "tag:2.0", "tag:login"), "main").Problems
	for _, want := range []string{"login is left out", "1.0 is left out: 1.0 has", `default version "gone"`,
		"1 older versions", `alias "x"`} {
		if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("nothing about %s in %q", want, got)
		}
	}
}

func TestDigestChangesWithMatchingRefsOnly(t *testing.T) {
	rules := refversion.Rules{Tags: []string{"v*"}}
	one := rules.Digest(refs("tag:v1", "main"))
	if rules.Digest(refs("tag:v1")) != one || rules.Digest(refs("tag:v1", "tag:v2")) == one {
		t.Error("the digest must depend on the matching refs, and on no others")
	}
}

func TestValidRejectsMalformedPatterns(t *testing.T) {
	for pattern, want := range map[string]bool{"v*": true, "release/(*)": true, "(": false, "(a)(b)": false, "": false,
		"a+b": true, ")(": false} {
		if refversion.Valid(pattern) != want {
			t.Errorf("%q: %v", pattern, !want)
		}
	}
}
