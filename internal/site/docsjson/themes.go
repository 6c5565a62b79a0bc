package docsjson

// Themes are the names of looks that a site file may have.
func Themes() []string { return themes() }
