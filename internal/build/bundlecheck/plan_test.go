package bundlecheck

import (
	"strconv"
	"strings"
	"testing"
)

// B8: requests of the playground are listed with the addresses that it would call: servers with their variables filled
// in, the proxy, and the token endpoints.
func TestPlaygroundCallsAreListed(t *testing.T) {
	for name, c := range map[string]struct{ plan, want string }{
		"defaults": {`{"servers":[{"url":"{scheme}://{host}/{v}","variables":[{"name":"scheme","default":"https"},
			{"name":"host","default":"x.test:8443"},{"name":"v","enum":["v1","v2"]}]}]}`,
			"https://x.test:8443/v1 x.test"},
		"each value of a host": {
			`{"servers":[{"url":"https://{region}.x.test","variables":[{"name":"region","default":"us","enum":["eu","us"]}]}]}`,
			"https://eu.x.test eu.x.test; https://us.x.test us.x.test"},
		"whole address": {
			`{"servers":[{"url":"{base}/v1","variables":[{"name":"base","default":"https://x.test"}]}]}`,
			"https://x.test/v1 x.test"},
		"reader writes it": {`{"servers":[{"url":"https://{tenant}.x.test/v1","variables":[{"name":"tenant"}]}]}`,
			"https://{tenant}.x.test/v1 "},
		"reader writes all": {`{"servers":[{"url":"{base}"}]}`, "{base} "},
		"value like a variable": {
			`{"servers":[{"url":"https://{a}.x.test","variables":[{"name":"a","default":"{b}"},{"name":"b","default":"c"}]}]}`,
			"https://{b}.x.test "},
		"path of the host": {`{"servers":[{"url":"/{v}","variables":[{"name":"v","default":"v1"}]}]}`, ""},
		"tokens": {`{"servers":[],"security":[[{"flows":{"password":{"tokenUrl":"https://x.test/t"}}}]]}`,
			"https://x.test/t x.test"},
		"tokens, second": {`{"security":[[],[{},{"flows":{"clientCredentials":{"tokenUrl":"//x.test/t"}}}]]}`,
			"//x.test/t x.test"},
		"flow of a browser": {`{"security":[[{"flows":{"authorizationCode":{"tokenUrl":"https://x.test/t"}}}]]}`, ""},
		"proxy":             {`{"proxyURL":"https://x.test/proxy"}`, "https://x.test/proxy x.test"},
		"own proxy":         {`{"proxyURL":"../_lectern/api/proxy"}`, ""},
		"members of no use": {`{"security":5,"servers":[{"url":7},{"url":"https://x.test"}]}`,
			"https://x.test x.test"},
		"no plan": {`{"servers":[{"url":"https://x.test"}`, ""},
		"variable of no use": {
			`{"servers":[{"url":"https://x.test/{","variables":[{"name":"","default":"y"},{"name":"z","enum":[]}]}]}`,
			"https://x.test/{ x.test"},
	} {
		tree := goodTree()
		at(`<script type="application/json" data-try-plan>` + c.plan + `</script>`)(tree)
		r := check(t, tree.sealed().folder(), Options{})
		var got []string
		for _, x := range r.Contacts {
			got = append(got, x.Address+" "+x.Host)
			if x.Reason != ForAPI || x.When != OnAction {
				t.Errorf("%s: %+v", name, x)
			}
		}
		if text := strings.Join(got, "; "); text != c.want || !r.OK {
			t.Errorf("%s: got %q, want %q; %v", name, text, c.want, r.Findings)
		}
	}
}

// The variables of a hostile plan cannot produce an unlimited number of addresses.
func TestServerVariablesAreBounded(t *testing.T) {
	var many []string
	for i := range 50 {
		many = append(many, strconv.Itoa(i))
	}
	budget := maxFilling
	s := planServer{URL: "https://{x}.{y}.{z}",
		Variables: []planVariable{{Name: "x", Enum: many}, {Name: "y", Enum: many}, {Name: "z", Enum: many}}}
	if n := len(s.addresses(&budget)); n != maxFilled {
		t.Errorf("%d addresses", n)
	}
	bomb := planServer{URL: "https://" + strings.Repeat("{a}", 300)}
	for name := 'a'; name < 'p'; name++ {
		value := strings.Repeat("{"+string(name+1)+"}", maxValue/3)
		bomb.Variables = append(bomb.Variables, planVariable{Name: string(name), Enum: []string{value, value + "x"}})
	}
	size := 0
	for range 1000 {
		for _, one := range bomb.addresses(&budget) {
			size += len(one)
		}
	}
	if size > 2*maxFilling {
		t.Errorf("%d bytes of addresses", size)
	}
}
