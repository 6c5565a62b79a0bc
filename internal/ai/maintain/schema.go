package maintain

import "encoding/json"

// kindsText describes each task to a model.
const kindsText = "fix_links: mend links, images, anchors, navigation entries and redirects that lead nowhere, where there is exactly one likely target. " +
	"add_redirects: from the old paths of moved pages (moves), or find pages that moved without one. " +
	"add_descriptions: give pages without a description one from their first paragraph. " +
	"add_alt_text: give images without a text one from their file's name. " +
	"format: tidy sources without changing what they show. " +
	"bump_version: replace the version from by to, not in changelogs. " +
	"rename_term: replace the term from by to in text, not in code or addresses. " +
	"add_to_navigation: name pages in docs.json that it does not name yet."

// schema is what Parse reads, for models.
const schema = `{
  "type": "object",
  "additionalProperties": false,
  "required": ["task"],
  "properties": {
    "task": {
      "type": "string",
      "enum": ["fix_links", "add_redirects", "add_descriptions", "add_alt_text", "format", "bump_version", "rename_term", "add_to_navigation"],
      "description": "` + kindsText + `"
    },
    "files": {
      "type": "array", "maxItems": 200, "items": { "type": "string" },
      "description": "Pages, files or folders to stay in, as paths from the docs folder. Leave it out for all. Not for add_redirects."
    },
    "from": { "type": "string", "description": "For bump_version and rename_term: what is there now." },
    "to": { "type": "string", "description": "For bump_version and rename_term: what is to be there." },
    "moves": {
      "type": "array", "maxItems": 200,
      "items": {
        "type": "object", "additionalProperties": false, "required": ["from", "to"],
        "properties": { "from": { "type": "string", "description": "Path of the page before." }, "to": { "type": "string", "description": "Its path now." } }
      },
      "description": "For add_redirects: pages that have another path by now."
    }
  }
}`

// Schema is the JSON schema of a task, as Parse reads it.
func Schema() json.RawMessage { return json.RawMessage(schema) }
