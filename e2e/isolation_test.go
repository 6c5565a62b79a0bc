package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// C10: while one organization's pages are built, they try to read another organization's folder, the server's data
// folder and its environment in every way in which a page can name a file or run code. The published site contains none
// of this, only the organization's own words.
func TestBuildCannotReadOtherOrganizations(t *testing.T) {
	t.Parallel()
	const foreign, variable, own = "canary-of-the-other-organization", "canary-in-the-environment", "canary-of-its-own"
	data := t.TempDir()
	orgs, roots := organizations(t, nil, data, 2, 1)
	a, b := orgs[0], orgs[1]
	write(t, b.source+"/secret.mdx", "---\ntitle: Secret\n---\n\n"+foreign+"\n")
	write(t, b.source+"/secret.json",
		`{"openapi":"3.1.0","info":{"title":"`+foreign+`","version":"1"},"paths":{"/x":{"get":{"responses":{}}}}}`)
	write(t, b.source+"/secret.js", "export const secret = '"+foreign+"'\n")
	rel, err := filepath.Rel(a.source, b.source)
	if err != nil {
		t.Fatal(err)
	}
	read := func(expression string) string {
		return "export const Look = () => {\n  let out = 'nothing'\n  try { out = String(" + expression +
			") } catch (e) { out = 'refused' }\n  return <span>{out}</span>\n}\n\n<Look />\n"
	}
	var names []string
	for name, text := range map[string]string{
		"snippet":     "import Secret from '" + rel + "/secret.mdx'\n\n<Secret />\n",
		"absolute":    "import Secret from '" + b.source + "/secret.mdx'\n\n<Secret />\n",
		"module":      "import { secret } from '" + rel + "/secret.js'\n\n{secret}\n",
		"node":        "import fs from 'fs'\n\n{fs.readFileSync('" + b.source + "/secret.mdx', 'utf8')}\n",
		"required":    read("require('fs').readFileSync('" + b.source + "/secret.mdx')"),
		"environment": read("JSON.stringify(process.env)"),
		"constructed": read("(() => {}).constructor('return JSON.stringify(process.env)')()"),
		"proc":        read("std.loadFile('/proc/self/environ')"),
		"image":       "![x](" + rel + "/secret.mdx) <img src=\"file://" + b.source + "/secret.mdx\" />\n",
		"link":        "<Card href=\"/linked/secret\">x</Card>\n",
		"mine":        own + "\n",
	} {
		names = append(names, name)
		write(t, a.source+"/"+name+".mdx", "---\ntitle: "+name+"\n---\n\n"+text)
	}
	if err := os.Symlink(b.source, a.source+"/linked"); err != nil {
		t.Fatal(err)
	}
	write(t, a.source+"/docs.json", `{"name":"A","theme":"mint","colors":{"primary":"#0055aa"},"api":{"openapi":["`+rel+
		`/secret.json","`+b.source+`/secret.json","file://`+b.source+`/secret.json"]},
		"navigation":{"pages":["index","snippet","absolute","module","node","required","environment","constructed","proc","image","link","mine","linked/secret","`+rel+`/secret"]}}`)
	p := serve(t, data, []string{roots, "LECTERN_CREDENTIAL_OTHER=https://bot:" + variable + "@git.example.com"},
		"--first-site", "off")
	cl := p.client(a.key)
	if _, err := p.client(b.key).WaitUpdate(background(), newProject(t, p.client(b.key), b.source, "b.localhost").
		LastUpdate.StatusID, nil); err != nil {
		t.Fatal(err)
	}
	update, err := cl.WaitUpdate(background(), newProject(t, cl, a.source, "a.localhost").LastUpdate.StatusID, nil)
	if err != nil {
		t.Fatalf("%+v %v", update, err)
	}
	if shown := fmt.Sprintf("%+v", *update); strings.Contains(shown, foreign) || strings.Contains(shown, variable) {
		t.Errorf("the update reveals %s", shown)
	}
	published := ""
	for _, name := range append(names, "linked/secret", "secret", "llms-full.txt", "llms.txt", "sitemap.xml") {
		for _, form := range []string{"", ".md", ".mdx", ".json"} {
			code, text := page(t, p, "a.localhost", "/"+name+form)
			published += text
			if strings.Contains(text, foreign) || strings.Contains(text, variable) {
				t.Errorf("/%s%s: %d shows data of others", name, form, code)
			}
		}
	}
	if !strings.Contains(published, own) || !strings.Contains(published, "refused") {
		t.Error("the organization's own words are not published, or its code did not run")
	}
}
