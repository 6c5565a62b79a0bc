package stylesheet

// themeVariables lists the variables that the theme declares on the root element, sorted. A test compares the list with
// the theme.
var themeVariables = []string{
	"--accent", "--accent-ink", "--accent-tint", "--banner", "--bar", "--button", "--canvas", "--edge", "--float",
	"--gap", "--heading", "--heading-weight", "--ink", "--ink-faint", "--ink-soft", "--ink-strong", "--line",
	"--line-strong", "--measure", "--mono", "--on-banner", "--on-button", "--page", "--paper", "--paper-code", "--paper-soft",
	"--radius", "--radius-l", "--radius-s", "--rail", "--sans", "--serif", "--shadow", "--shadow-s",
	"--side", "--size-m", "--size-s", "--size-xs", "--system-mono", "--tabs", "--title-size", "--tone-blue", "--tone-gray",
	"--tone-green", "--tone-orange", "--tone-purple", "--tone-red", "--tone-yellow", "--top", "--wash-orange", "--wash-yellow",
}
