package totp

import (
	"encoding/xml"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rsc.io/qr"
)

func TestEnrolmentURLEscapesNames(t *testing.T) {
	for _, c := range []struct{ issuer, account, wantIssuer, wantAccount string }{
		{"Lectern", "owner@example.com", "Lectern", "owner@example.com"},
		{"Docs & Co. / 100%", "owner+docs@example.com", "Docs & Co. / 100%", "owner+docs@example.com"},
		{"localhost:8080", "a:b", "localhost 8080", "a b"},
		{"Büro?#", " dokumente \n", "Büro?#", "dokumente"},
		{"a&secret=x", "b=c\xff", "a&secret=x", "b=c"},
		{"", "viewer@example.com", "", "viewer@example.com"},
	} {
		uri := URI(c.issuer, c.account, rfcSecret)
		u, err := url.Parse(uri)
		if err != nil {
			t.Fatalf("%s: %v", uri, err)
		}
		label, q := strings.TrimPrefix(u.Path, "/"), u.Query()
		if issuer, account, ok := strings.Cut(label, ":"); ok && (issuer != c.wantIssuer || account != c.wantAccount) ||
			!ok && label != c.wantAccount {
			t.Errorf("%s is for %q", uri, label)
		}
		if u.Scheme != "otpauth" || u.Host != "totp" || q.Get("issuer") != c.wantIssuer ||
			q.Get("secret") != rfcSecret || len(q["secret"]) != 1 ||
			q.Get("digits") != "6" || q.Get("period") != "30" || q.Get("algorithm") != "SHA1" {
			t.Errorf("%s", uri)
		}
		if strings.Contains(uri, "+") {
			t.Errorf("%s has a plus sign, which apps read in two ways", uri)
		}
	}
}

// drawing is an SVG as parsed by a browser.
type drawing struct {
	XMLName xml.Name `xml:"http://www.w3.org/2000/svg svg"`
	ViewBox string   `xml:"viewBox,attr"`
	Role    string   `xml:"role,attr"`
	Label   string   `xml:"aria-label,attr"`
	Rect    struct {
		Class  string `xml:"class,attr"`
		Fill   string `xml:"fill,attr"`
		Width  int    `xml:"width,attr"`
		Height int    `xml:"height,attr"`
	} `xml:"rect"`
	Paths []struct {
		Class string `xml:"class,attr"`
		Fill  string `xml:"fill,attr"`
		Color string `xml:"color,attr"`
		D     string `xml:"d,attr"`
	} `xml:"path"`
}

func TestDrawingHasAllModulesOfQRCode(t *testing.T) {
	for _, text := range []string{"1", "LECTERN", URI("Lectern", "owner@example.com", rfcSecret),
		URI("Büro", strings.Repeat("ü", 120)+"@example.com", rfcSecret)} {
		svg, err := QR(text)
		if err != nil {
			t.Fatal(err)
		}
		var d drawing
		if err := xml.Unmarshal([]byte(svg), &d); err != nil {
			t.Fatalf("%s: %v", svg, err)
		}
		code, err := qr.Encode(text, qr.M)
		if err != nil {
			t.Fatal(err)
		}
		size := code.Size + 8
		if d.ViewBox != "0 0 "+strconv.Itoa(size)+" "+strconv.Itoa(size) || d.Role != "img" || d.Label == "" ||
			strings.Contains(svg, "style") {
			t.Errorf("the frame: %.300s", svg)
		}
		if d.Rect.Class != "totp-paper" || d.Rect.Fill != "#fff" || d.Rect.Width != size || d.Rect.Height != size {
			t.Errorf("the paper: %+v", d.Rect)
		}
		if len(d.Paths) != 1 || d.Paths[0].Class != "totp-ink" || d.Paths[0].Fill != "currentColor" ||
			d.Paths[0].Color != "#000" {
			t.Fatalf("the ink: %.300s", svg)
		}
		dark := walk(t, d.Paths[0].D)
		for y := range size {
			for x := range size {
				if want := code.Black(x-4, y-4); dark[[2]int{x, y}] != want {
					t.Fatalf("module %d,%d is dark: %v", x, y, !want)
				}
			}
		}
		if strings.Contains(svg, rfcSecret) {
			t.Error("the drawing contains the secret as text")
		}
	}
}

// walk returns the dark modules of a path, which may contain only the one shape that we draw.
func walk(t *testing.T, path string) map[[2]int]bool {
	t.Helper()
	box := regexp.MustCompile(`M(\d+) (\d+)h(\d+)v1h-(\d+)z`)
	if rest := box.ReplaceAllString(path, ""); rest != "" {
		t.Fatalf("the path contains something else: %q", rest)
	}
	dark := map[[2]int]bool{}
	for _, m := range box.FindAllStringSubmatch(path, -1) {
		n := make([]int, 4)
		for i := range n {
			n[i], _ = strconv.Atoi(m[i+1])
		}
		if n[2] != n[3] {
			t.Fatalf("box %s is not closed", m[0])
		}
		for x := n[0]; x < n[0]+n[2]; x++ {
			dark[[2]int{x, n[1]}] = true
		}
	}
	return dark
}

func TestTextTooLongForQRCodeIsRefused(t *testing.T) {
	if svg, err := QR(strings.Repeat("x", 5000)); err == nil || svg != "" {
		t.Errorf("%d bytes, %v", len(svg), err)
	}
	if _, err := QR(""); err != nil {
		t.Errorf("the empty text: %v", err)
	}
}
