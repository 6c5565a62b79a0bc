package apiproxy_test

// Hosts that resolve, in one notation or another, to an address that visitors must not reach. PORT stands for a port
// on which every loopback address listens.
var (
	spelledLoopback = []string{
		"127.0.0.1", "127.0.0.3", "127.1.2.3", "127.255.255.254", "127.1", "127.0.1", "127.0.0.1.", "127.0.0.1..",
		// The last two overflow to 1 and to the loopback address.
		"2130706433", "2130706433.", "017700000001", "0017700000001", "0x7f000001", "0x7F000001", "0X7f000001",
		"0x7f000001.", "0x007f000001", "4294967297", "6425673729",
		"0177.0.0.1", "0177.0.0.01", "0x7f.0.0.1", "0x7f.0x0.0x0.0x1", "0x7f.1", "0177.1", "127.0.0.0x1", "127.0x1",
		"127.0.01", "127.000.000.001", "127.0.0.01", "00127.0.0.1", "0127.0.0.1", "127.00000.0.1",
		"0x7f.0.1", "0177.0x0.1", "127.0.0.257", "127.0.0.1e0", "+127.0.0.1", "-127.0.0.1", "127.0.0.1 ", " 127.0.0.1",
		"127.0.0.1\t", "127.0.0.1,8.8.8.8", "127.0.0.1_", "127..0.0.1", ".127.0.0.1",
		"[::1]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[::0001]", "[0::1]", "[::1%25lo]",
		"[::1%25]", "[::1%lo]", "::1", "[::1", "::1]", "[[::1]]",
	}
	spelledMapped = []string{
		"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:127.0.0.1]", "[::ffff:7F00:0001]",
		"[0:0:0:0:0:ffff:127.0.0.1]", "[0000:0000:0000:0000:0000:ffff:7f00:0001]", "[::ffff:127.0.0.1%25lo]",
		"[::ffff:10.0.0.1]", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[::ffff:192.168.0.1]",
		"[::ffff:0.0.0.0]", "[::ffff:0:0]", "[::ffff:127.1]", "[::ffff:0x7f000001]", "[::ffff:2130706433]",
		"[::127.0.0.1]", "[::7f00:1]", "[::a9fe:a9fe]", "[::10.0.0.1]", "[::ffff:0:127.0.0.1]", "[::ffff:0:7f00:1]",
		"[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b::10.0.0.1]",
		"[64:ff9b:1::7f00:1]", "[64:ff9b:1:ffff::a9fe:a9fe]", "[64:ff9b:0:0:0:0:7f00:1]",
		"[2002:7f00:1::]", "[2002:7f00:0001::1]", "[2002:a9fe:a9fe::1]", "[2002:a00:1::]", "[2002:c0a8:1::1]",
		"[2001:0:4136:e378:8000:63bf:3fff:fdd2]", "[2001::1]", "[2001:0:7f00:1::]", "[2001:2::1]", "[2001:10::1]",
		"[2001:20::1]",
	}
	spelledPrivate = []string{
		"10.0.0.1", "10.255.255.255", "10.1", "167772161", "0xa000001", "0x0a.0.0.1", "012.0.0.1", "10.0.0.1.",
		"172.16.0.1", "172.31.255.255", "0254.16.0.1", "2886729729", "0xac100001",
		"192.168.0.1", "192.168.1.254", "192.168.257", "192.11010049", "3232235521", "0xc0a80001", "0xc0.0xa8.0x0.0x1",
		"0300.0250.0.1", "100.64.0.1", "100.127.255.255", "0144.0144.0144.0310", "1684300744",
		"[fc00::1]", "[fdff:ffff::1]", "[fd12:3456:789a::1]", "[fd00::]", "[fec0::1]", "[FC00::1]",
	}
	spelledMetadata = []string{
		"169.254.169.254", "169.254.0.1", "169.254.169.254.", "2852039166", "0xa9fea9fe", "0xA9FEA9FE",
		"0xa9.0xfe.0xa9.0xfe", "0251.0376.0251.0376", "0251.254.169.254", "169.16689662", "169.254.43518",
		"025177524776", "169.254.169.0xfe",
		"100.100.100.200", "192.0.0.192", "169.254.170.2", "169.254.170.23", "[fd00:ec2::254]",
		"[fd00:ec2:0:0:0:0:0:254]", "[fd20:ce::254]", "[fe80::1]", "[fe80::1%25eth0]", "[fe80::a9fe:a9fe]", "[febf::1]",
		"[fe80::1%25]",
		"metadata.google.internal", "metadata.google.internal.", "METADATA.google.internal", "metadata",
		"instance-data.ec2.internal",
	}
	spelledOdd = []string{
		"0.0.0.0", "0", "0.", "0x0", "00", "000000000000", "0.0", "0.1.2.3", "0.0.0.0.", "[::]", "[0:0:0:0:0:0:0:0]",
		"[::0]", "[::%25lo]",
		"224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "4294967295", "0xffffffff", "[ff02::1]",
		"[ff02::1%25eth0]", "[ff00::]", "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "198.19.255.255",
		"192.88.99.1",
		"[2001:db8::1]", "[3fff::1]", "[100::1]", "[100:0:0:1::1]", "[5f00::1]", "[4000::1]", "[8000::1]", "[e000::1]",
		"[::2]", "[1::1]",
	}
	// Spellings that another program might normalize to an address or a name of this machine.
	spelledFolded = []string{
		"127。0。0。1", "127.0.0。1", "127｡0｡0｡1", "127．0．0．1", "①②⑦.⓪.⓪.①", "１２７.０.０.１", "𝟏𝟐𝟕.𝟎.𝟎.𝟏", "127.0.0.1\u200b",
		"\u200b127.0.0.1", "127.0.0.\u0661", "127.0.0.1\u00ad", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "ｌｏｃａｌｈｏｓｔ", "localhoſt",
		"lo\u200bcalhost", "localho\u0073\u0323t",
		"%31%32%37.0.0.1", "127%2e0%2e0%2e1", "127.0.0.1%00", "127.0.0.1%00.example.com", "127.0.0.1%2f",
		"127.0.0.1%23", "127.0.0.1%40example.com", "%6c%6f%63%61%6c%68%6f%73%74", "%5b::1%5d", "localhost%2e",
		"%e2%91%a0.0.0.1",
		"0x7f000001\u3002", "xn--127-0-0-1", "[::1]\u3002", "[::ffff:127。0。0。1]",
	}
	spelledNames = []string{
		"localhost", "LOCALHOST", "LocalHost", "localhost.", "localhost..", "docs.localhost", "a.b.localhost",
		"localhost.localdomain", "localhost6", "ip6-localhost", "ip6-loopback", "_localhost",
		"127.0.0.1.nip.test", "127-0-0-1.nip.test", "7f000001.nip.test", "10.0.0.1.nip.test",
		"169.254.169.254.nip.test", "192-168-0-1.nip.test", "www.127.0.0.1.nip.test", "127.0.0.1.nip.test.",
		"inner.test", "INNER.test", "six.test", "mapped.test", "ula.test", "zero.test", "nat64.test", "cgnat.test",
		"metadata.test", "all-private.test", "broadcast.test", "multicast.test", "deep.inner.test", "teredo.test",
		"sixtofour.test", "linklocal.test", "compatible.test",
	}
)

// Whole URLs that may mean one thing to the code that checks them and another to the code that connects. HOST stands
// for a public host in the site's descriptions.
var spelledAddresses = []string{
	"http://HOST@127.0.0.1:PORT/", "http://HOST:80@127.0.0.1:PORT/", "http://127.0.0.1:PORT@HOST/",
	"http://user:pass@HOST/", "http://:@HOST/", "http://@HOST/", "http://HOST%40127.0.0.1:PORT/",
	"http://HOST\\@127.0.0.1:PORT/", "http://127.0.0.1:PORT\\@HOST/",
	"http://127.0.0.1:PORT#@HOST/", "http://127.0.0.1:PORT?@HOST/", "http://127.0.0.1:PORT/@HOST/",
	"http://127.0.0.1:PORT;@HOST/", "http://HOST&@127.0.0.1:PORT/", "http:\\\\127.0.0.1:PORT\\",
	"http:/\\127.0.0.1:PORT/", "http:///127.0.0.1:PORT/",
	"http:127.0.0.1:PORT", "http:/127.0.0.1:PORT/", "//127.0.0.1:PORT/", "///127.0.0.1:PORT/", "127.0.0.1:PORT/",
	"HTTP://127.0.0.1:PORT/", "hTTp://127.0.0.1:PORT/", "HTTPS://127.0.0.1:PORT/", "http://127.0.0.1:0PORT/",
	"http://127.0.0.1:PORT:80/", "http://127.0.0.1:+PORT/",
	"http://127.0.0.1:PORT%20/", "http://127.0.0.1%20:PORT/", "http://127.0.0.1:99999/", "http://127.0.0.1:-1/",
	"http://127.0.0.1:/", "http://127.0.0.1:0/", "http://HOST:PORT@127.0.0.1/", "http://HOST /@127.0.0.1:PORT/",
	"http://HOST%0d%0aHost:127.0.0.1:PORT/", "http://HOST%09.127.0.0.1:PORT/",
	"http://[::1]:PORT@HOST/", "http://[::1]PORT/", "http://[::1]@HOST/", "http://[HOST]/", "http://[127.0.0.1]:PORT/",
	"http://[v1.fe80::1]/", "http://[0:0::1]:PORT/",
	"ftp://127.0.0.1:PORT/", "gopher://127.0.0.1:PORT/_GET", "file:///etc/passwd", "file://127.0.0.1/etc/passwd",
	"dict://127.0.0.1:PORT/", "ldap://127.0.0.1:PORT/", "ws://127.0.0.1:PORT/", "jar:http://127.0.0.1:PORT!/",
	"data:text/plain,x", "javascript:alert(1)", "unix:///var/run/docker.sock",
	"http+unix://%2Fvar%2Frun%2Fdocker.sock/", "url:http://127.0.0.1:PORT/",
	"blob:http://127.0.0.1:PORT/", "view-source:http://127.0.0.1:PORT/", " http://127.0.0.1:PORT/",
	"http ://127.0.0.1:PORT/", "http://\t127.0.0.1:PORT/", "http://127.0.0.1:PORT/ HTTP/1.1", "http://", "http://?",
	"http://#", "http://:PORT/", "http://.", "http://..:PORT/", "http://%/", "",
}
