package race

import (
	"context"
	"path/filepath"
)

// starlight uses the default configuration: a sidebar of all pages, an outline, and a search index by Pagefind.
func starlight() peer {
	return peer{
		name: "starlight", title: "Starlight 0.36, Pagefind", slow: true, inside: true,
		install: func(ctx context.Context, o Options) (string, error) { return Install(ctx, o, "starlight") },
		content: "src/content/docs",
		files: map[string]string{
			"package.json": `{ "private": true, "type": "module" }
`,
			"astro.config.mjs": `import { defineConfig } from 'astro/config'
import starlight from '@astrojs/starlight'

export default defineConfig({ site: 'https://docs.example.com', integrations: [starlight({ title: 'Race' })] })
`,
			"src/content.config.ts": `import { defineCollection } from 'astro:content'
import { docsLoader } from '@astrojs/starlight/loaders'
import { docsSchema } from '@astrojs/starlight/schema'

export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }
`,
		},
		made: []string{"dist", ".astro", "node_modules"},
		out:  "dist",
		command: func(installed string) []string {
			return []string{"node", filepath.Join(installed, "node_modules", "astro", "astro.js"), "build"}
		},
		env: append(nodeMemory(), "ASTRO_TELEMETRY_DISABLED=1"),
	}
}
