package shell

// Deeds are the sentences about what a form has just done. The address carries the key, so that nobody can make a page say something else.
var Deeds = map[string]string{
	"signed-out":       "You are signed out.",
	"switched":         "You look at another organization now.",
	"joined":           "Welcome. You are a member now.",
	"recovery-used":    "You came in with a recovery code, which is used up now. How many are left is said below.",
	"name-saved":       "Your name is changed.",
	"password-changed": "Your password is changed. You are signed out everywhere else.",
	"two-factor-off":   "Two-factor sign-in is off.",
	"session-ended":    "That session is over.",
	"sessions-ended":   "You are signed out everywhere else.",

	"export-started":  "The export has begun.",
	"export-joined":   "The same export was under way already: here it is.",
	"export-canceled": "The export is being stopped.",

	"agent-started":    "The agent has begun.",
	"agent-told":       "The agent reads your message at its next step.",
	"agent-archived":   "The job is archived.",
	"proposal-merged":  "The proposal is merged. The site is being published anew.",
	"proposal-closed":  "The proposal is closed; nothing of it was taken over.",
	"update-started":   "The update is under way.",
	"preview-started":  "The preview is under way.",
	"rolled-back":      "Rolled back. Readers see that version now.",
	"domain-proven":    "The domain is proven. The site answers on it from now on.",
	"project-saved":    "Saved. A change of source or docs folder shows with the next update.",
	"nothing-changed":  "Nothing was changed.",
	"feedback-changed": "Saved. Others see what became of it.",
	"project-deleted":  "The project is deleted. Its site answers no more.",

	"credential-stored":    "The credential is stored, encrypted. Projects can name it from now on.",
	"credential-replaced":  "The credential has its new value, from the next fetch on.",
	"credential-deleted":   "The credential is deleted.",
	"key-revoked":          "The key is revoked. Whatever used it is refused from now on.",
	"role-changed":         "The role is changed. It counts at once.",
	"member-removed":       "The member is removed and signed out.",
	"left":                 "You have left the organization.",
	"invitation-withdrawn": "The link is withdrawn.",
	"renamed":              "The organization has its new name.",
}
