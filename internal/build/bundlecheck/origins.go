package bundlecheck

import "encoding/json"

// origins reads the list of origins to which pages of the bundle can send requests. Their hosts are treated like the
// hosts of links.
func (f *file) origins(data []byte) {
	var list []string
	if err := json.Unmarshal(data, &list); err != nil {
		f.warnf(f.here(spot{}), "origins-damaged", "The list of APIs that the playground may call cannot be read.")
		return
	}
	for _, origin := range list {
		f.host(parseAddress(origin).host)
	}
}
