package bundlecheck

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// FuzzDocument checks that no page makes the reader fail, and that an attribute is found at its reported position.
func FuzzDocument(f *testing.F) {
	for _, seed := range []string{
		`<a href="x">`, `<img srcset="a 1x, b 2x" src=c>`, `<a  b =  'c' / d=e href = f>`,
		`<svg><style><img src=x></style>`, `<noscript><img src="a"></noscript>`,
		`<iframe srcdoc="<a href='&quot;'>">`, `<a =href=x href>`, `<p/id=a/href="b"c='d'>`,
		`<meta http-equiv=refresh content="0;url=x">`, "<a\nhref\n=\n>", `<p style="a:url(b)">`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &checker{targets: newTargets(), hosts: map[string]bool{}, report: &Report{}}
		for _, name := range []string{"a/index.html", "404.html", "a.svg"} {
			for _, second := range []bool{false, true} {
				for _, d := range (&examiner{checker: c, second: second}).examine(name, data).list {
					if d.Line < 1 || d.Column < 1 || d.Line > 1+bytes.Count(data, []byte{'\n'}) {
						t.Fatalf("%q: %v", data, d)
					}
				}
			}
		}
		offsets(t, data)
	})
}

// offsets compares valueOffset with the result of the HTML library for each tag.
func offsets(t *testing.T, data []byte) {
	z := html.NewTokenizer(bytes.NewReader(data))
	for at := 0; ; {
		kind := z.Next()
		raw := bytes.Clone(z.Raw())
		if kind == html.ErrorToken {
			return
		}
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			_, more := z.TagName()
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				if len(value) == 0 || bytes.ContainsAny(raw, "&\r\x00") || !utf8.Valid(raw) {
					continue
				}
				if found := raw[valueOffset(raw, string(key)):]; !bytes.HasPrefix(found, value) {
					t.Fatalf("%q: value of %q is %q, found at %q", raw, key, value, found)
				}
			}
		}
		at += len(raw)
	}
}

// FuzzScript checks that no script makes the reader fail, and that each address follows a quote.
func FuzzScript(f *testing.F) {
	for _, seed := range []string{`f("https://x.test")`, `'\x68ttps://x.test'`, "`wss://${a}.b`", `"\u{68}ttp://a"`,
		`"//a.b"`, `"\u`, `"\x`, `"h\`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		named(data, func(offset int, address string) {
			if strings.IndexByte("\"'`", data[offset-1]) < 0 || parseAddress(address).host == "" {
				t.Fatalf("%q: %q at %d", data, address, offset)
			}
		})
	})
}

// FuzzWalk checks that no archive makes the reader fail, that every returned file has a name that can be unpacked, and
// that limits hold.
func FuzzWalk(f *testing.F) {
	small := tree{"a/b.html": "<p>", "c.css": "a{}"}.sealed()
	f.Add(small.tarGz(f))
	f.Add(small.zip(f))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	limits := Limits{Entries: 20, Bytes: 1 << 16, FileBytes: 1 << 15, Ratio: 50, Slack: 1 << 12}
	f.Fuzz(func(t *testing.T, data []byte) {
		total := 0
		err := Walk(context.Background(), archive(data), limits, func(file File) error {
			if fault := nameFault(file.Path); fault != "" {
				t.Fatal(fault)
			}
			buf := make([]byte, 1<<12)
			for {
				n, err := file.Body.Read(buf)
				if total += n; total > 1<<16 {
					t.Fatalf("%d bytes", total)
				}
				if err != nil {
					if err.Error() == "EOF" {
						return nil
					}
					return err
				}
			}
		})
		var refused *Refusal
		if err != nil && !errors.As(err, &refused) {
			t.Fatalf("%v is not a Refusal", err)
		}
	})
}
