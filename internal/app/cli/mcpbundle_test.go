package cli

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// bundleDocs returns a site with code, nested sections, and sections that do not fit into one result.
func bundleDocs(t *testing.T) string {
	return write(t, map[string]string{
		"docs.json": `{"name":"Acme Rockets","theme":"mint","colors":{"primary":"#0F766E"},"navigation":{"pages":["index","guides/start","guides/long"]}}`,
		"index.mdx": "---\ntitle: Home\n---\nWelcome.\n",
		"guides/start.mdx": "---\ntitle: Start\n---\n## Build\n\n### Install the thruster\n\nBolt the thruster to the fuselage.\n\n" +
			"```bash\nrocket bolt --screws 4\n```\n\n| Part | Torque |\n|---|---|\n| nozzle | nine newton metres |\n\n## Fly\n\nPress the button.\n",
		"guides/long.mdx": "---\ntitle: Ballast\n---\n## Cargo\n\n" + strings.Repeat("Sand and lead fill the lower hold.\n\n", 200) +
			"The zebrawood crate stays on top.\n\n" + strings.Repeat("More sand follows it.\n\n", 200),
		"secret.mdx": "---\ntitle: Secret\ngroups: [staff]\n---\ncanary-7c1 thruster\n"})
}

// mcpClient runs the command and connects to it with the official MCP client.
func mcpClient(t *testing.T, args ...string) *sdk.ClientSession {
	t.Helper()
	stdin, toServer := io.Pipe()
	fromServer, stdout := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	var errs bytes.Buffer
	self, _ := os.Executable()
	ended := make(chan int, 1)
	go func() {
		ended <- Main(ctx, Process{Args: append([]string{"mcp"}, args...), Stdin: stdin, Stdout: stdout, Stderr: &errs,
			Version: "v0-test", SelfExe: self, Now: time.Now, Rand: rand.Reader})
		_ = stdout.Close()
	}()
	s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(ctx, &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		stop()
		t.Fatalf("%v, code %d\n%s", err, <-ended, errs.String())
	}
	t.Cleanup(func() {
		_ = s.Close()
		stop()
		_ = toServer.Close()
		if code := <-ended; code != 0 {
			t.Errorf("the command ended with code %d\n%s", code, errs.String())
		}
	})
	return s
}

func callTool(t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) string {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, c := range r.Content {
		text += c.(*sdk.TextContent).Text
	}
	return text
}

// An MCP client of an exported bundle (tar.gz, zip or unpacked folder) learns which bundle it reads. One search call
// returns what the site's own search finds, including code and tables.
func TestMCPServesABundle(t *testing.T) {
	docs, out := bundleDocs(t), t.TempDir()
	for _, form := range []string{"site.tar.gz", "site.zip", "public"} {
		t.Run(form, func(t *testing.T) {
			bundle := filepath.Join(out, form)
			invoke(t, "export", docs, "--out", bundle, "--label", "v1.2", "--no-cache", "--scripts", "off").want(t, 0)
			t.Setenv("TMPDIR", t.TempDir())
			s := mcpClient(t, bundle, "--version", "v1.2")
			if info := s.InitializeResult().ServerInfo; info.Title != "Acme Rockets" || info.Name != "acme-rockets" {
				t.Errorf("%+v", info)
			}
			about := s.InitializeResult().Instructions
			if !strings.Contains(about, "version v1.2") || !strings.Contains(about, "tree hash ") ||
				strings.Contains(about, "bundle SHA-256 ") != (form != "public") {
				t.Errorf("instructions %q", about)
			}
			found := callTool(t, s, "search_docs", map[string]any{"query": "thruster bolt"})
			for _, want := range []string{"## Start › Build › Install the thruster\n",
				"Path: /guides/start#install-the-thruster\n", "Bolt the thruster", "```bash\nrocket bolt --screws 4\n```",
				"| nozzle | nine newton metres |"} {
				if !strings.Contains(found, want) {
					t.Errorf("the answer lacks %q:\n%s", want, found)
				}
			}
			deep := callTool(t, s, "search_docs", map[string]any{"query": "zebrawood"})
			if !strings.Contains(deep, "The zebrawood crate") || !strings.Contains(deep, "Cut after") ||
				!strings.Contains(deep, "beginning of this section is left out") || len(deep) > 5_000 {
				t.Errorf("a match late in a long section: %d bytes\n%.300s", len(deep), deep)
			}
			if page := callTool(t, s, "read_page", map[string]any{"path": "/guides/start"}); !strings.HasPrefix(page,
				"# Start") {
				t.Errorf("page: %.100s", page)
			}
			for tool, args := range map[string]map[string]any{"search_docs": {"query": "canary-7c1"},
				"read_page": {"path": "/secret"}} {
				if text := callTool(t, s, tool, args); strings.Contains(text, "canary-7c1 thruster") {
					t.Errorf("%s shows a restricted page: %s", tool, text)
				}
			}
		})
	}
}

func TestMCPRemovesTheUnpackedBundle(t *testing.T) {
	bundle, temporary := filepath.Join(t.TempDir(), "site.tar.gz"), t.TempDir()
	invoke(t, "export", bundleDocs(t), "--out", bundle, "--no-cache", "--scripts", "off").want(t, 0)
	t.Setenv("TMPDIR", temporary)
	invoke(t, "mcp", bundle).want(t, 0, "Serving Acme Rockets")
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// Bundles that serve-bundle refuses are refused here too, for the same reasons.
func TestMCPRefusesUnexpectedBundle(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	bundle, folder := filepath.Join(out, "site.tar.gz"), filepath.Join(out, "public")
	docs := bundleDocs(t)
	for _, to := range []string{bundle, folder} {
		invoke(t, "export", docs, "--out", to, "--label", "v1.2", "--no-cache", "--scripts", "off").want(t, 0)
	}
	for _, to := range []string{bundle, folder} {
		invoke(t, "mcp", to, "--version", "v9").want(t, 1, `it has the version "v1.2", but "v9" is required`)
	}
	zeros := strings.Repeat("0", 64)
	invoke(t, "mcp", bundle, "--sha256", zeros).want(t, 1, zeros+" is required")
	invoke(t, "mcp", bundle, "--sha256", "abc").want(t, 2, "64 hex digits")
	invoke(t, "mcp", folder, "--sha256", zeros).want(t, 2, "no archive to compare")
	invoke(t, "mcp", docs, "--version", "v1.2").want(t, 2, "is a docs folder")
	invoke(t, "mcp", filepath.Join(out, "none.tar.gz")).want(t, 2, "none.tar.gz")
	if err := os.WriteFile(filepath.Join(folder, "guides/start.md"), []byte("# Changed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	invoke(t, "mcp", folder).want(t, 1, "guides/start.md", "the manifest")
	if err := os.Remove(filepath.Join(folder, "guides/start.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(folder, "guides/start.md")); err != nil {
		t.Fatal(err)
	}
	invoke(t, "mcp", folder).want(t, 1, "symbolic link")
	invoke(t, "mcp", climbing(t)).want(t, 1, "The bundle was rejected")
	if err := os.WriteFile(bundle, []byte("no archive"), 0o644); err != nil {
		t.Fatal(err)
	}
	invoke(t, "mcp", bundle).want(t, 1, "The bundle was rejected")
}

// climbing returns an archive with an entry that would be written outside the target folder.
func climbing(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	w := tar.NewWriter(gz)
	if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "../../outside", Size: 1, Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write([]byte("x"))
	name := filepath.Join(t.TempDir(), "climbing.tar.gz")
	if w.Close() != nil || gz.Close() != nil || os.WriteFile(name, b.Bytes(), 0o644) != nil {
		t.Fatal("write archive")
	}
	return name
}

func TestMCPServesABundleOverHTTP(t *testing.T) {
	t.Parallel()
	bundle := filepath.Join(t.TempDir(), "site.zip")
	invoke(t, "export", bundleDocs(t), "--out", bundle, "--label", "v1.2", "--no-cache", "--scripts", "off").want(t, 0)
	address := listenMCP(t, bundle)
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	s, err := c.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: "http://" + address + "/mcp",
		DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if about := s.InitializeResult().Instructions; !strings.Contains(about, "version v1.2") {
		t.Errorf("instructions %q", about)
	}
	if found := callTool(t, s, "search_docs", map[string]any{"query": "thruster"}); !strings.Contains(found,
		"/guides/start#install-the-thruster") {
		t.Errorf("search: %s", found)
	}
	if code, body := fetchFrom(address, "/guides/start"); code != 200 || !strings.Contains(body, "Bolt the thruster") {
		t.Errorf("the cited page: %d", code)
	}
}
