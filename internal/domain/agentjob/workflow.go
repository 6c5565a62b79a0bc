package agentjob

// workflow is a named prompt.
type workflow struct{ id, prompt string }

// workflows are the tasks that every model can do, including the built-in one, in the best order for running several of
// them.
var workflows = []workflow{
	{"add-redirects", "Add redirects for moved pages."},
	{"add-to-navigation", "Add orphaned pages to the navigation."},
	{"fix-links", "Fix broken links."},
	{"add-alt-text", "Add missing alt text to images."},
	{"add-descriptions", "Add missing descriptions."},
	{"format", "Format all pages."},
}

// Workflows lists the ids of the predefined prompts.
func Workflows() (ids []string) {
	for _, w := range workflows {
		ids = append(ids, w.id)
	}
	return ids
}

// WorkflowPrompt returns the predefined prompt with an id.
func WorkflowPrompt(id string) (prompt string, ok bool) {
	for _, w := range workflows {
		if w.id == id {
			return w.prompt, true
		}
	}
	return "", false
}
