package bundlecheck

import (
	"fmt"
	"strings"
	"testing"
)

// B8: addresses in author scripts are listed as such; scripts are not run, so it is unknown which of them are
// contacted.
func TestAddressesInScriptsAreListed(t *testing.T) {
	for name, c := range map[string]struct{ path, script, want string }{
		"fetch":   {"a.js", `fetch("https://x.test/a")`, "1:8 https://x.test/a x.test named"},
		"picture": {"a.js", "\n  new Image().src = '//x.test/p?' + id", "2:22 //x.test/p? x.test named"},
		"beacon": {"a.mjs", `navigator.sendBeacon('HTTPS://X.test', d)`,
			"1:23 HTTPS://X.test x.test named"},
		"worker": {"a.js", `new Worker("https://x.test/w.js"); importScripts('http://x.test/y.js')`,
			"1:13 https://x.test/w.js x.test named; 1:51 http://x.test/y.js x.test named"},
		"socket": {"a.js", "new WebSocket(`wss://x.test:8443/s`)",
			"1:16 wss://x.test:8443/s x.test named"},
		"escapes": {"a.js", `f("\x68ttps:\/\/x.te\u0073t\u{2f}a")`, "1:4 https://x.test/a x.test named"},
		"filled in": {"a.js", "fetch(`https://${region}.x.test/${id}`)",
			"1:8 https://${region}.x.test/${id}  named"},
		"after an expression": {"a.js", `s.replace(/["'/*]/g, ""); fetch("https://x.test")`,
			"1:34 https://x.test x.test named"},
		"import": {"a.js", `import "https://x.test/m.js"`, "1:9 https://x.test/m.js x.test load"},
		"looks like an index": {"a.js", `lecternIndex("1"); fetch("https://x.test/a")`,
			"1:27 https://x.test/a x.test named"},
		"component": {"_lectern/island/a.js", `fetch("https://x.test/a")`,
			"1:8 https://x.test/a x.test named"},
		"the platform's own": {"_lectern/b.js", `fetch("https://x.test/a")`, ""},
		"namespace":          {"a.js", `document.createElementNS("http://www.w3.org/2000/svg", "a")`, ""},
		"comments": {"a.js",
			"// as in \"https://x.test/\"\n\tf('a') // see https://x.test\n/* https://x.test */", ""},
		"comment at a text": {"a.js", `a = "b"//c "d"`, ""},
		"no host":           {"a.js", `"https://" + host + '//' + "/a/b" + "http: no" + "mailto:a@x.test"`, ""},
		"no end":            {"a.js", "f('https://x.test\n", ""},
	} {
		tree := goodTree()
		tree[c.path] = c.script
		r := check(t, tree.sealed().folder(), Options{})
		var got []string
		for _, x := range r.Contacts {
			got = append(got, fmt.Sprintf("%d:%d %s %s %s", x.Line, x.Column, x.Address, x.Host, x.When))
			if x.File != c.path || x.Reason != ForScript {
				t.Errorf("%s: %+v", name, x)
			}
		}
		if text := strings.Join(got, "; "); text != c.want || !r.OK || r.Scripts == 0 && authored(c.path) {
			t.Errorf("%s: got %q, want %q; %d scripts, %v", name, text, c.want, r.Scripts, r.Findings)
		}
	}
}
