package load

import (
	"strings"
	"testing"
)

func TestStyleSheetsAndScriptsAreFound(t *testing.T) {
	s, list := load(t, files(map[string]string{
		"docs.json": `{"name": "x", "styling": {"css": "/snippets/named.css"}, "custom": {"js": ["z.js", "gone.js"]}, "navigation": ["a"]}`, "a.mdx": "x",
		"b.css": "x", "a/c.css": "x", "snippets/part.css": "x", "snippets/named.css": "x", "node_modules/n.css": "x",
		".hidden/h.css": "x", "drafts/d.css": "x", "_lectern/e.css": "x",
		"z.js": "document.title", "a/track.js": "(function(){ window.x = 1 })()\n// import nothing\n",
		"snippets/chart.js": "export const x = 1", ".mintignore": "drafts/\n",
		"lib/module.js": "const a = 1\nexport { a }", "lib/star.js": "import * as x from './y.js'",
		"tools/build.js": "const fs = require('fs')", "tools/run.js": "#!/usr/bin/env node\n",
		"tools/old.js": "module.exports = {}",
		"lib/late.js":  "function f() {\n  import('./x.js')\n}\nconst exported = 1\nexports_ = 2\n",
	}))
	if got := strings.Join(s.Styles, " "); got != "a/c.css b.css snippets/named.css" {
		t.Errorf("styles %s", got)
	}
	if got := strings.Join(s.Scripts, " "); got != "a/track.js lib/late.js z.js" {
		t.Errorf("scripts %s", got)
	}
	if len(s.Assets) > 0 {
		t.Errorf("they are copied as assets: %v", s.Assets)
	}
	if got := codes(list); got != "docs.json missing-file" || !strings.Contains(list[0].Message, "gone.js") {
		t.Errorf("findings %v", list)
	}
}
