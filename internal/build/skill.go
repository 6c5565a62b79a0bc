package build

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/llmstxt"
	"github.com/lectern-docs/lectern/internal/build/skill"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Limits for authors' files in folders whose names begin with a dot.
const (
	maxExtraFiles = 200
	maxSkills     = 50
)

// describeSite returns the facts about the site that skills and agent cards contain. index is the site's llms.txt.
func (m *machineWriter) describeSite(index llmstxt.Index) skill.Site {
	settings := &m.src.site.Settings
	s := skill.Site{
		Name: settings.Name, Description: settings.Description, Note: settings.AgentNote,
		URL:  cmp.Or(m.addr.baseURL, "/"),
		Llms: m.addr.Public("llms.txt"), Full: m.addr.Public("llms-full.txt"),
		Twin: m.addr.Public(link.Twin(m.addr.home.Path)), MCP: m.mcp,
	}
	for _, section := range index.Sections {
		switch section.Title {
		case "Optional":
			continue
		case "API descriptions":
			for _, l := range section.Links {
				s.APIs = append(s.APIs, skill.Link{Title: l.Title, URL: l.URL})
			}
			continue
		}
		part := skill.Section{Title: section.Title}
		for _, l := range section.Links {
			part.Pages = append(part.Pages, skill.Link{Title: l.Title, URL: l.URL})
		}
		s.Sections = append(s.Sections, part)
	}
	return s
}

// writeSkills writes skill.md, the author's skills and the indexes of both.
func (m *machineWriter) writeSkills(ctx context.Context, about skill.Site) error {
	name := skill.Name(m.src.site.Name)
	main := about.Render()
	if p := m.src.site.Find("skill"); p != nil && p.File == "skill.md" {
		if own, ok := m.w.readExtra(p.File); ok {
			main = own
		}
	}
	if err := m.w.putUnlessAuthored(ctx, "skill.md", main); err != nil {
		return err
	}
	list := []skill.Skill{describeSkill(name, main, about.Describe())}
	keeps := load.Keeps(m.src.unrecorded())
	for _, dir := range []string{".lectern/skills", ".mintlify/skills"} {
		entries, err := fs.ReadDir(m.src.unrecorded(), dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.IsDir() && len(list) < maxSkills {
				list = m.authorSkill(list, path.Join(dir, e.Name()), keeps)
			}
		}
	}
	for i := range list {
		if err := m.putSkill(ctx, &list[i]); err != nil {
			return err
		}
	}
	if err := m.w.putUnlessAuthored(ctx, ".well-known/skills/index.json", skill.Index(list)); err != nil {
		return err
	}
	return m.w.putUnlessAuthored(ctx, ".well-known/agent-skills/index.json", skill.Digests(list))
}

// authorSkill adds the skill in a folder, unless the folder has no SKILL.md or an earlier skill has its name.
func (m *machineWriter) authorSkill(list []skill.Skill, dir string, keeps func(name string) bool) []skill.Skill {
	for _, file := range []string{"SKILL.md", "skill.md"} {
		data, ok := m.w.readExtra(path.Join(dir, file))
		if !ok || !keeps(path.Join(dir, file)) || !m.mayRead(data) {
			continue
		}
		s := describeSkill(skill.Name(path.Base(dir)), data, "")
		for _, other := range list {
			if other.Name == s.Name {
				return list
			}
		}
		return append(list, s)
	}
	return list
}

// mayRead reports whether readers of the view may see a skill, according to its front matter.
func (m *machineWriter) mayRead(data []byte) bool {
	cut, _ := frontmatter.Parse("SKILL.md", data)
	public := cut.Fields.Public != nil && *cut.Fields.Public
	return m.view.Allows(reader.Visibility{Public: public, Groups: cut.Fields.Groups})
}

// describeSkill takes a skill's description from its front matter.
func describeSkill(name string, data []byte, fallback string) skill.Skill {
	cut, _ := frontmatter.Parse("SKILL.md", data)
	own := strings.Join(strings.Fields(cut.Fields.Description), " ")
	return skill.Skill{Name: name, Description: cmp.Or(own, fallback, name), Data: data, Files: []string{"SKILL.md"}}
}

func (m *machineWriter) putSkill(ctx context.Context, s *skill.Skill) error {
	for _, root := range []string{".well-known/skills", ".well-known/agent-skills"} {
		file := path.Join(root, s.Name, "SKILL.md")
		if err := m.w.putUnlessAuthored(ctx, file, s.Data); err != nil {
			return err
		}
		s.URL = m.addr.Public(file)
		if m.addr.baseURL == "" {
			s.URL = "/" + file
		}
	}
	return nil
}

// writeWellKnown writes the cards that agents look for, and a catalogue of the API descriptions.
func (m *machineWriter) writeWellKnown(ctx context.Context, about skill.Site, described []apiDescription) error {
	if err := m.writeAgentCards(ctx, about, cmp.Or(m.version, "1.0.0")); err != nil {
		return err
	}
	var apis []skill.API
	for _, d := range described {
		a := skill.API{
			Title: d.spec.Title, Description: d.url, Docs: m.addr.Canonical(d.page.Path), Type: specType(d.spec),
			Anchor: d.url,
		}
		if len(d.spec.Servers) > 0 && link.Safe(d.spec.Servers[0].Filled()) &&
			openapi.Remote(d.spec.Servers[0].Filled()) {
			a.Anchor = d.spec.Servers[0].Filled()
		}
		apis = append(apis, a)
	}
	if len(apis) == 0 {
		return nil
	}
	const catalog = ".well-known/api-catalog"
	return m.w.putUnlessAuthored(ctx, catalog, skill.Catalog(m.addr.Public(catalog), apis))
}

func (m *machineWriter) writeAgentCards(ctx context.Context, about skill.Site, version string) error {
	if m.addr.baseURL != "" { // cards contain absolute addresses
		if err := m.w.putUnlessAuthored(ctx, ".well-known/agent-card.json", about.Card(version)); err != nil {
			return err
		}
	}
	if m.mcp == "" {
		return nil
	}
	card := about.MCPCard(version)
	for _, name := range []string{".well-known/mcp.json", ".well-known/mcp/server-card.json"} {
		if err := m.w.putUnlessAuthored(ctx, name, card); err != nil {
			return err
		}
	}
	return nil
}

// specType returns the media type of an API description.
func specType(s *openapi.Spec) string {
	kind := "openapi"
	if s.Async {
		kind = "asyncapi"
	}
	if ext := strings.ToLower(path.Ext(s.Name)); ext == ".yaml" || ext == ".yml" {
		return "application/vnd.oai." + kind
	}
	return "application/vnd.oai." + kind + "+json"
}

// writeAuthorWellKnown copies the author's files below .well-known, as text or JSON. They replace the platform's own
// files with the same names.
func (m *machineWriter) writeAuthorWellKnown(ctx context.Context) error {
	left, keeps := maxExtraFiles, load.Keeps(m.src.unrecorded())
	err := fs.WalkDir(m.src.unrecorded(), ".well-known", func(name string, d fs.DirEntry, err error) error {
		if err != nil || left == 0 {
			return fs.SkipAll // no such folder, or too many files
		}
		if d.IsDir() || !d.Type().IsRegular() || !output.ValidPath(name) {
			return nil
		}
		left--
		data, ok := m.w.readExtra(name)
		if !ok || !keeps(name) || !m.w.Free(name) {
			return nil
		}
		return m.w.Put(ctx, output.File{Path: name, ContentType: plainType(name), Data: data})
	})
	return err
}

// plainType returns the media type of an author's file for machines. It never returns a type that a browser would
// execute.
func plainType(name string) string {
	switch t := output.ContentType(name); {
	case strings.HasPrefix(t, "application/json"), strings.HasPrefix(t, "application/linkset+json"),
		strings.HasPrefix(t, "text/markdown"):
		return t
	case path.Ext(name) == "":
		return "application/json"
	}
	return "text/plain; charset=utf-8"
}
