package maintain

import "encoding/json"

// kindsText describes each task to a model.
const kindsText = "fix_links: fix broken links, images, anchors, navigation entries and redirects if there is exactly one likely target; with moves, make links to one path lead to another page. " +
	"move_pages: move pages, files and folders (moves), and update links, navigation and redirects. " +
	"delete_pages: delete pages (moves: from is the page, to the page that links and its old address lead to from then on). " +
	"remove_from_navigation: remove pages from docs.json and keep them. " +
	"add_changelog_entry: add text to the changelog, below the version to. " +
	"add_redirects: add redirects from the old paths of moved pages (moves), or find pages that were moved without one. " +
	"remove_redirects: remove the redirects from the addresses in files. " +
	"add_descriptions: add missing descriptions from the headings of the page, never its first paragraph; with text, set that one for one page. " +
	"add_alt_text: add missing alt text from the file name of the image; with text, that one for the image from of one page. " +
	"format: format sources without changing how pages look. " +
	"bump_version: replace the version from with to, except in changelogs. " +
	"rename_term: replace the term from with to in text, not in code or addresses. " +
	"rename_group: rename a group of the navigation. " +
	"add_to_navigation: add pages to docs.json that are not in it yet; with after or before, place one page next to another."

// schema is the JSON schema of Parse's input, for models.
const schema = `{
  "type": "object",
  "additionalProperties": false,
  "required": ["task"],
  "properties": {
    "task": {
      "type": "string",
      "enum": ["fix_links", "move_pages", "delete_pages", "add_redirects", "add_descriptions", "add_alt_text", "format", "bump_version", "rename_term", "add_to_navigation", "remove_from_navigation", "rename_group", "remove_redirects", "add_changelog_entry"],
      "description": "` + kindsText + `"
    },
    "files": {
      "type": "array", "maxItems": 200, "items": { "type": "string" },
      "description": "Pages, files or folders to work on, as paths relative to the docs folder. Omit for all. Not for move_pages, delete_pages and add_redirects."
    },
    "from": { "type": "string", "description": "For bump_version, rename_term and rename_group: the current text. For add_alt_text with text: the file of the image." },
    "to": { "type": "string", "description": "For bump_version, rename_term and rename_group: the new text. For add_changelog_entry: the version, if it is released." },
    "text": { "type": "string", "description": "For add_changelog_entry: the entry, one line of Markdown. For add_descriptions and add_alt_text: the text." },
    "after": { "type": "string", "description": "For add_to_navigation: the page that the one in files follows." },
    "before": { "type": "string", "description": "For add_to_navigation: the page that the one in files precedes." },
    "moves": {
      "type": "array", "maxItems": 200,
      "items": {
        "type": "object", "additionalProperties": false, "required": ["from"],
        "properties": { "from": { "type": "string", "description": "Old path of the page." }, "to": { "type": "string", "description": "New path of the page." } }
      },
      "description": "For move_pages: what to move. For delete_pages: what to delete; to may be omitted if nothing links to it. For add_redirects: pages whose path has changed. For fix_links: links to change."
    }
  }
}`

// Schema returns the JSON schema of a task, as Parse accepts it.
func Schema() json.RawMessage { return json.RawMessage(schema) }
