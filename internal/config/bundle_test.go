package config

import (
	"strings"
	"testing"
	"time"
)

func TestBundleVariablesAreThoseOfTheServer(t *testing.T) {
	b, err := NewEnv([]string{"LECTERN_BUNDLE_SOURCE=s", "LECTERN_BUNDLE_PROXY=http://p:1", "LECTERN_METRICS_LISTEN=off", "LECTERN_DEPLOYMENT_TYPE=air-gapped", "LECTERN_FEATURES_SEARCH=local",
		"LECTERN_SHUTDOWN_DELAY=7s"}).Bundle()
	if err != nil || b.Source != "s" || b.Proxy != "http://p:1" || b.MetricsListen != "" || b.DeploymentType != "air-gapped" || !b.SearchLocal || b.ShutdownDelay == nil || *b.ShutdownDelay != 7*time.Second || b.ShutdownGrace != nil {
		t.Errorf("%+v, %v", b, err)
	}
	if b, err = NewEnv(nil).Bundle(); err != nil || b.DeploymentType != "client-hosted" || b.SearchLocal || b.ShutdownDelay != nil {
		t.Errorf("without any: %+v, %v", b, err)
	}
	if err := NewEnv([]string{"LECTERN_BUNDLE_PROXY=x", "LECTERN_BUNDLE_SOURCE=y"}).Check(); err != nil {
		t.Errorf("a server refuses variables of serve-bundle: %v", err)
	}
}

func TestProxyAddressesAreRead(t *testing.T) {
	for text, ok := range map[string]bool{
		"": true, "http://proxy:3128": true, "https://user:hunter22@proxy.example.com:3128/": true, "socks5://10.0.0.1:1080": true, "http://[::1]:3128": true,
		"proxy:3128": false, "ftp://user:hunter22@proxy": false, "http://": false, "http://user:hunter22@proxy/path": false, "http://proxy?x=1": false, "http://user:hunter22@pro xy": false,
	} {
		u, err := ProxyURL(text)
		if (err == nil) != ok || (u != nil) != (ok && text != "") {
			t.Errorf("%q: %v, %v", text, u, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter22") {
			t.Errorf("the password is told: %v", err)
		}
	}
}
