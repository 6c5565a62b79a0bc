// Package skill writes the files that explain a site to agents: skill.md, the lists of skills, the agent card and
// the catalogue of APIs.
//
// Inputs: the site's name, description, sections and addresses; the skills of its author. Outputs: Markdown with
// front matter, JSON. It never reads files or decides which pages may be listed.
package skill
