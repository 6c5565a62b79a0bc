package docsjson

// Themes returns the names of themes that a site file may use.
func Themes() []string { return themes() }
