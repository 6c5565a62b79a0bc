package build

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/skill"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Bounds of what authors put into folders that begin with a dot.
const (
	maxExtraFile  = 1 << 20 // bytes
	maxExtraFiles = 200
	maxSkills     = 50
)

// describeSite returns the facts about the site that skills and agent cards contain.
func (b *builder) describeSite() skill.Site {
	pages := b.order[variant{}]
	s := skill.Site{
		Name: b.src.site.Name, Description: b.src.site.Description, Note: b.src.site.AgentNote, URL: cmp.Or(b.opt.BaseURL, "/"),
		Llms: b.addr.Public("llms.txt"), Full: b.addr.Public("llms-full.txt"), Twin: b.addr.Public(link.Twin(b.addr.home.Path)), MCP: b.opt.MCP,
	}
	for _, section := range b.llmsIndex(variant{}, pages, "llms-full.txt").Sections {
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
func (b *builder) writeSkills(ctx context.Context) error {
	about := b.describeSite()
	name := skill.Name(b.src.site.Name)
	main := about.Render()
	if p := b.src.site.Find("skill"); p != nil && p.File == "skill.md" {
		if own, ok := b.readExtra(p.File); ok {
			main = own
		}
	}
	if err := b.w.putUnlessAuthored(ctx, "skill.md", main); err != nil {
		return err
	}
	list := []skill.Skill{describeSkill(name, main, about.Describe())}
	keeps := load.Keeps(b.src.unrecorded())
	for _, dir := range []string{".lectern/skills", ".mintlify/skills"} {
		entries, err := fs.ReadDir(b.src.unrecorded(), dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.IsDir() && len(list) < maxSkills {
				list = b.authorSkill(list, path.Join(dir, e.Name()), keeps)
			}
		}
	}
	for i := range list {
		if err := b.putSkill(ctx, &list[i]); err != nil {
			return err
		}
	}
	if err := b.w.putUnlessAuthored(ctx, ".well-known/skills/index.json", skill.Index(list)); err != nil {
		return err
	}
	return b.w.putUnlessAuthored(ctx, ".well-known/agent-skills/index.json", skill.Digests(list))
}

// authorSkill adds the skill in a folder, unless it has no SKILL.md or an earlier skill has its name.
func (b *builder) authorSkill(list []skill.Skill, dir string, keeps func(name string) bool) []skill.Skill {
	for _, file := range []string{"SKILL.md", "skill.md"} {
		data, ok := b.readExtra(path.Join(dir, file))
		if !ok || !keeps(path.Join(dir, file)) {
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

// describeSkill takes a skill's description from its front matter.
func describeSkill(name string, data []byte, fallback string) skill.Skill {
	cut, _ := frontmatter.Parse("SKILL.md", data)
	own := strings.Join(strings.Fields(cut.Fields.Description), " ")
	return skill.Skill{Name: name, Description: cmp.Or(own, fallback, name), Data: data, Files: []string{"SKILL.md"}}
}

func (b *builder) putSkill(ctx context.Context, s *skill.Skill) error {
	for _, root := range []string{".well-known/skills", ".well-known/agent-skills"} {
		file := path.Join(root, s.Name, "SKILL.md")
		if err := b.w.putUnlessAuthored(ctx, file, s.Data); err != nil {
			return err
		}
		s.URL = b.addr.Public(file)
		if b.opt.BaseURL == "" {
			s.URL = "/" + file
		}
	}
	return nil
}

// writeWellKnown writes the cards that agents look for.
func (b *builder) writeWellKnown(ctx context.Context) error {
	if b.opt.BaseURL != "" || b.opt.MCP != "" {
		if err := b.writeAgentCards(ctx, b.describeSite(), cmp.Or(b.opt.Version, "1.0.0")); err != nil {
			return err
		}
	}
	var apis []skill.API
	for _, d := range b.descriptions(b.order[variant{}]) {
		a := skill.API{Title: d.spec.Title, Description: d.url, Docs: b.addr.Canonical(d.page.Path), Type: specType(d.spec), Anchor: d.url}
		if len(d.spec.Servers) > 0 && link.Safe(d.spec.Servers[0].Filled()) && openapi.Remote(d.spec.Servers[0].Filled()) {
			a.Anchor = d.spec.Servers[0].Filled()
		}
		apis = append(apis, a)
	}
	if len(apis) == 0 {
		return nil
	}
	return b.w.putUnlessAuthored(ctx, ".well-known/api-catalog", skill.Catalog(b.addr.Public(".well-known/api-catalog"), apis))
}

func (b *builder) writeAgentCards(ctx context.Context, about skill.Site, version string) error {
	if b.opt.BaseURL != "" { // cards name absolute addresses
		if err := b.w.putUnlessAuthored(ctx, ".well-known/agent-card.json", about.Card(version)); err != nil {
			return err
		}
	}
	if b.opt.MCP == "" {
		return nil
	}
	card := about.MCPCard(version)
	for _, name := range []string{".well-known/mcp.json", ".well-known/mcp/server-card.json"} {
		if err := b.w.putUnlessAuthored(ctx, name, card); err != nil {
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

// writeAuthorWellKnown copies the author's files below .well-known, as text or JSON. They replace ours.
func (b *builder) writeAuthorWellKnown(ctx context.Context) error {
	left, keeps := maxExtraFiles, load.Keeps(b.src.unrecorded())
	err := fs.WalkDir(b.src.unrecorded(), ".well-known", func(name string, d fs.DirEntry, err error) error {
		if err != nil || left == 0 {
			return fs.SkipAll // no such folder, or too many files
		}
		if d.IsDir() || !d.Type().IsRegular() || !output.ValidPath(name) {
			return nil
		}
		left--
		data, ok := b.readExtra(name)
		if !ok || !keeps(name) || !b.w.Free(name) {
			return nil
		}
		return b.w.Put(ctx, output.File{Path: name, ContentType: plainType(name), Data: data})
	})
	return err
}

// readExtra reads such a file; ok is false when there is none. A file that is too large is reported and left out as a
// whole.
func (b *builder) readExtra(name string) (data []byte, ok bool) {
	data, err := safefile.Read(b.src.unrecorded(), name, maxExtraFile)
	if err == nil && len(data) > maxExtraFile {
		b.w.warn(diag.Pos{File: name}, "file-unreadable", "The file is larger than %d MB and is left out.", maxExtraFile>>20)
	}
	return data, err == nil && len(data) <= maxExtraFile
}

// plainType returns the media type of an author's file for machines: never one that a browser would execute.
func plainType(name string) string {
	switch t := output.ContentType(name); {
	case strings.HasPrefix(t, "application/json"), strings.HasPrefix(t, "application/linkset+json"), strings.HasPrefix(t, "text/markdown"):
		return t
	case path.Ext(name) == "":
		return "application/json"
	}
	return "text/plain; charset=utf-8"
}
