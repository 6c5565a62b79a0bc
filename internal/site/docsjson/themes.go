package docsjson

// Themes returns the names of looks that a site file may have.
func Themes() []string { return themes() }
