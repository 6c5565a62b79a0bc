package capability

import "testing"

func TestOriginNormalizesSpelling(t *testing.T) {
	for _, c := range []struct{ address, want string }{
		{"https://api.example.com", "https://api.example.com"},
		{"https://api.example.com/v1/pets?x=y#z", "https://api.example.com"},
		{"HTTPS://API.Example.COM:443/", "https://api.example.com"},
		{"http://api.example.com:80", "http://api.example.com"},
		{"http://api.example.com:443", "http://api.example.com:443"},
		{"https://api.example.com:8443", "https://api.example.com:8443"},
		{"https://api.example.com:0443", "https://api.example.com"},
		{"https://api.example.com:", "https://api.example.com"},
		{"http://127.0.0.1:8080/x", "http://127.0.0.1:8080"},
		{"http://[::1]:8080/x", "http://[::1]:8080"},
		{"http://[2001:DB8:0:0::1]/", "http://[2001:db8::1]"},
		{"https://my_host.internal", "https://my_host.internal"},
		{"https://user@api.example.com", ""},
		{"https://user:pass@api.example.com", ""},
		{"https://@api.example.com", ""},
		{"http://[fe80::1%25eth0]/", ""},
		{"wss://api.example.com", ""},
		{"ftp://api.example.com", ""},
		{"file:///etc/passwd", ""},
		{"javascript:alert(1)", ""},
		{"https:api.example.com", ""},
		{"//api.example.com", ""},
		{"/v1", ""},
		{"api.example.com", ""},
		{"", ""},
		{"https://", ""},
		{"https:///v1", ""},
		{"https://{region}.example.com", ""},
		{"https://api.example.com:{port}", ""},
		{"https://api.example.com:0", ""},
		{"https://api.example.com:65536", ""},
		{"https://münchen.example", ""},
		{"https://a b.example", ""},
		{"https://a%62.example", ""},
		{"https://.example.com", ""},
		{"https://a..b", ""},
		{"https://api.example.com\\@evil.example", ""},
		{"https://api.example.com\n", ""},
	} {
		got, ok := Origin(c.address)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%q gives %q, want %q", c.address, got, c.want)
		}
	}
}

func FuzzOrigin(f *testing.F) {
	for _, s := range []string{"https://a.example:8443/x", "http://[::1]", "https://u@h", "http://h:00080"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if o, ok := Origin(s); ok {
			if again, ok := Origin(o); !ok || again != o {
				t.Fatalf("%q gives %q, which gives %q", s, o, again)
			}
		}
	})
}
