package bundlecheck

import "encoding/json"

// origins reads which origins the pages of the bundle can send requests to: readers may go there, as if by a link.
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
