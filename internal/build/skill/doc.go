// Package skill writes what tells agents how to use a site: skill.md, the lists of skills, the agent card and the catalogue of APIs.
//
// In: the site's name, description, sections and addresses; the skills of its author.
// Out: Markdown with front matter, JSON.
// Never: reads files; decides which pages may be named.
package skill
