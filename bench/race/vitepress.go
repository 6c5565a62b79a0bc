package race

import (
	"context"
	"path/filepath"
)

// vitepress has a sidebar for each section and its local search, which is off by default.
func vitepress() peer {
	return peer{
		name: "vitepress", title: "VitePress 1.6, local search", slow: true, inside: true,
		install: func(ctx context.Context, o Options) (string, error) { return Install(ctx, o, "vitepress") },
		content: "docs",
		files: map[string]string{
			"docs/.vitepress/config.mjs": `import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const docs = join(import.meta.dirname, '..')
const title = (file) => /^title: "(.*)"$/m.exec(readFileSync(file, 'utf8'))[1]
const sidebar = {}
for (const section of readdirSync(docs)) {
  if (!section.startsWith('section-')) continue
  const items = readdirSync(join(docs, section)).sort().map((file) => {
    return { text: title(join(docs, section, file)), link: '/' + section + '/' + file.replace(/\.md$/, '') }
  })
  sidebar['/' + section + '/'] = [{ text: section, items }]
}
export default {
  title: 'Race',
  ignoreDeadLinks: true,
  metaChunk: true, // otherwise every page holds the sidebars of all
  themeConfig: { sidebar, outline: [2, 3], search: { provider: 'local' } },
}
`,
		},
		made: []string{"docs/.vitepress/dist", "docs/.vitepress/cache", "docs/.vitepress/.temp"},
		out:  "docs/.vitepress/dist",
		command: func(installed string) []string {
			return []string{"node", filepath.Join(installed, "node_modules", "vitepress", "bin", "vitepress.js"),
				"build", "docs"}
		},
		env: nodeMemory(),
	}
}
