package npm

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestPackedFilesAreUnpacked(t *testing.T) {
	for name, want := range map[string]string{"mermaid.js": "globalThis.mermaid", "katex.js": "globalThis.katex",
		"katex/katex.css": ".woff2", "notices.txt": "Permission is hereby granted"} {
		data, err := Read(FS(), name)
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %d bytes without %q, error %v", name, len(data), want, err)
		}
	}
}

// A page opened from disk can only load classic scripts, and a served page loads nothing from other hosts.
func TestMermaidIsAClassicScript(t *testing.T) {
	data, err := Read(FS(), "mermaid.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"import(", "export{", "import.meta", "elkjs"} {
		if strings.Contains(string(data), bad) {
			t.Errorf("mermaid.js has %q", bad)
		}
	}
}

func TestUnpackedFileErrorSaysWhatToDo(t *testing.T) {
	if _, err := Read(fstest.MapFS{}, "katex.js"); err == nil || !strings.Contains(err.Error(), "make build") {
		t.Errorf("error %v", err)
	}
	if _, err := Read(fstest.MapFS{"x.js.gz": {Data: []byte("no gzip")}}, "x.js"); err == nil {
		t.Error("damaged file was taken")
	}
}
