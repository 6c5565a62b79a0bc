package config

import (
	"strings"
	"testing"
	"time"
)

func TestBundleVariablesMatchServerSettings(t *testing.T) {
	b, err := NewEnv([]string{"LECTERN_BUNDLE_SOURCE=s", "LECTERN_BUNDLE_PROXY=http://p:1",
		"LECTERN_METRICS_LISTEN=off", "LECTERN_DEPLOYMENT_TYPE=air-gapped", "LECTERN_FEATURES_SEARCH=local",
		"LECTERN_SHUTDOWN_DELAY=7s"}).Bundle()
	if err != nil || b.Source != "s" || b.Proxy != "http://p:1" || b.MetricsListen != "" ||
		b.DeploymentType != "air-gapped" || !b.SearchLocal || b.ShutdownDelay == nil ||
		*b.ShutdownDelay != 7*time.Second || b.ShutdownGrace != nil {
		t.Errorf("%+v, %v", b, err)
	}
	if b, err = NewEnv(nil).Bundle(); err != nil || b.DeploymentType != "client-hosted" || b.SearchLocal ||
		b.ShutdownDelay != nil {
		t.Errorf("without any: %+v, %v", b, err)
	}
	if err := NewEnv([]string{"LECTERN_BUNDLE_PROXY=x", "LECTERN_BUNDLE_SOURCE=y"}).Check(); err != nil {
		t.Errorf("a server refuses variables of serve-bundle: %v", err)
	}
}

func TestProxyURLsAreParsed(t *testing.T) {
	for text, ok := range map[string]bool{
		"": true, "http://proxy:3128": true, "https://user:hunter22@proxy.example.com:3128/": true,
		"socks5://10.0.0.1:1080": true, "http://[::1]:3128": true,
		"proxy:3128": false, "ftp://user:hunter22@proxy": false, "http://": false,
		"http://user:hunter22@proxy/path": false, "http://proxy?x=1": false, "http://user:hunter22@pro xy": false,
	} {
		u, err := ProxyURL(text)
		if (err == nil) != ok || (u != nil) != (ok && text != "") {
			t.Errorf("%q: %v, %v", text, u, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter22") {
			t.Errorf("the error contains the password: %v", err)
		}
	}
}

func TestBundlePlaygroundProxyIsOffByDefault(t *testing.T) {
	b, err := NewEnv(nil).Bundle()
	if err != nil || b.PlaygroundProxy || b.PlaygroundOrigins != nil || b.AssistantLocal {
		t.Errorf("%+v, %v", b, err)
	}
	b, err = NewEnv([]string{"LECTERN_PLAYGROUND_PROXY=on",
		"LECTERN_PLAYGROUND_ORIGINS=http://10.0.0.1:8080,https://api.internal.example",
		"LECTERN_FEATURES_ASSISTANT=local", "LECTERN_TRUSTED_PROXIES=10.0.0.0/8",
		"LECTERN_PLAYGROUND_HOSTS=docs.example.com,Docs.internal"}).Bundle()
	if err != nil || !b.PlaygroundProxy || len(b.PlaygroundHosts) != 2 || len(b.PlaygroundOrigins) != 2 ||
		!b.AssistantLocal || len(b.TrustedProxies) != 1 {
		t.Errorf("%+v, %v", b, err)
	}
	for _, bad := range []string{"LECTERN_PLAYGROUND_PROXY=yes", "LECTERN_PLAYGROUND_ORIGINS=https://a.example/path",
		"LECTERN_PLAYGROUND_ORIGINS=10.0.0.1", "LECTERN_TRUSTED_PROXIES=proxy",
		"LECTERN_PLAYGROUND_ORIGINS=https://:8443", "LECTERN_PLAYGROUND_ORIGINS=https://a.example:99999",
		"LECTERN_PLAYGROUND_ORIGINS=https://a.example:0", "LECTERN_PLAYGROUND_ORIGINS=https://*.internal",
		"LECTERN_PLAYGROUND_ORIGINS=https://a.example:",
		"LECTERN_PLAYGROUND_ORIGINS=https://münchen.example", "LECTERN_PLAYGROUND_ORIGINS=https://u@a.example",
		"LECTERN_PLAYGROUND_ORIGINS=https://a.example#x", "LECTERN_PLAYGROUND_HOSTS=https://docs.example.com",
		"LECTERN_PLAYGROUND_HOSTS=docs.example.com:8080", "LECTERN_PLAYGROUND_HOSTS=*.example.com",
		"LECTERN_PLAYGROUND_HOSTS=a.example,", "LECTERN_PLAYGROUND_HOSTS=a.example/x"} {
		if _, err := NewEnv([]string{bad}).Bundle(); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}
