package chart

import (
	"slices"
	"strings"
	"testing"
)

// outPorts returns the ports, other than DNS, to which a policy lets its pods connect at any address.
func outPorts(t *testing.T, r rendering, ending string) (ports []int64) {
	t.Helper()
	r.set = append(r.set, "networkPolicy.dnsPorts=null")
	policy, err := find(r.objects(t), "NetworkPolicy", ending)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range list(policy, "spec", "egress") {
		if at(rule, "to") != nil {
			continue
		}
		if len(list(rule, "ports")) == 0 {
			t.Errorf("%s allows all egress", ending)
		}
		for _, p := range list(rule, "ports") {
			ports = append(ports, number(p, "port"))
		}
	}
	return ports
}

// H4: pods may connect only to the port in their link, whatever it is.
func TestEgressIsLimitedToSourcePort(t *testing.T) {
	link := func(url string) rendering {
		return rendering{set: []string{"staticExport.enabled=true", "staticExport.s3Secret.name=keys"},
			texts: []string{"staticExport.bundleUrl=" + url}}
	}
	platform := rendering{files: []string{"platform"}}
	bucket := platform
	bucket.texts = []string{"platform.bucketUrl=s3://b?endpoint=http://minio:9000&path-style=true"}
	export := rendering{files: []string{"export-only"}, set: []string{"networkPolicy.enabled=true"},
		texts: []string{"exportJob.url=http://lectern.internal:8080"}}
	narrow := link("http://10.1.2.3:9000/site.tar.gz")
	narrow.set = append(narrow.set, "staticExport.egress[0].ports[0].port=9001")
	for name, row := range map[string]struct {
		rendering
		ending string
		want   []int64
	}{
		"https":                      {link("https://bundles.example.com/a?b=:9000"), "-docs", []int64{443}},
		"http":                       {link("http://bundles.example.com/a"), "-docs", []int64{80}},
		"a port":                     {link("https://bundles.example.com:8443/a:1"), "-docs", []int64{8443}},
		"a port and a question mark": {link("http://bundles:9000?a=b"), "-docs", []int64{9000}},
		"an address of version 6":    {link("http://[fd00::1]:9000/a"), "-docs", []int64{9000}},
		"version 6 without a port":   {link("http://[fd00::1]/a"), "-docs", []int64{80}},
		"a bucket":                   {link("s3://bucket/key?region=r"), "-docs", []int64{443}},
		"a bucket's endpoint": {link("s3://bucket/key?region=r&endpoint=http://minio:9000&path-style=true"),
			"-docs", []int64{9000}},
		"an endpoint, encoded": {link("s3://bucket/key?endpoint=http%3A%2F%2Fminio%3A9000"), "-docs",
			[]int64{9000}},
		"an endpoint without a port": {link("s3://bucket/key?endpoint=https://minio"), "-docs", []int64{443}},
		"a link in a Secret":         {rendering{files: []string{"static-secret"}}, "-docs", []int64{443}},
		"rules of the operator's":    {narrow, "-docs", []int64{9001}},
		"the platform":               {platform, "-server", []int64{443, 5432, 22}},
		"the platform's bucket":      {bucket, "-worker", []int64{443, 5432, 22, 9000}},
		"the migration":              {platform, "-migrate", []int64{443, 5432, 22}},
		"an export from elsewhere":   {export, "-export", []int64{443, 8080}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outPorts(t, row.rendering, row.ending); !slices.Equal(got, row.want) {
				t.Errorf("ports %v are open, want %v", got, row.want)
			}
		})
	}
}

// The service of a StatefulSet is headless, because Kubernetes gives pods DNS names only through a headless service.
func TestStatefulSetServiceIsHeadless(t *testing.T) {
	for _, name := range []string{"static", "static-gateway"} {
		objects := rendering{files: []string{name}}.objects(t)
		set, err := find(objects, "StatefulSet", "-docs")
		if err != nil {
			t.Fatal(err)
		}
		service, err := find(objects, "Service", text(set, "spec", "serviceName"))
		if err != nil || text(service, "spec", "clusterIP") != "None" {
			t.Errorf("%s: %v: %v", name, service, err)
		}
		want := map[string]string{"static": "Retain", "static-gateway": "Delete"}[name]
		for _, when := range []string{"whenDeleted", "whenScaled"} {
			if got := text(set, "spec", "persistentVolumeClaimRetentionPolicy", when); got != want {
				t.Errorf("%s: %s is %q", name, when, got)
			}
		}
	}
}

// A Gateway API route forwards requests below the site's base path to the service's port.
func TestRoutesTargetTheService(t *testing.T) {
	route, err := find(rendering{files: []string{"static-gateway"}}.objects(t), "HTTPRoute", "-docs")
	if err != nil {
		t.Fatal(err)
	}
	rule := list(route, "spec", "rules")[0]
	backend := list(rule, "backendRefs")[0]
	if text(backend, "name") != "docs-lectern-docs" || number(backend, "port") != 80 ||
		text(list(rule, "matches")[0], "path", "value") != "/docs" {
		t.Errorf("the route is %v", route)
	}
	if hosts := texts(list(route, "spec", "hostnames")); !slices.Equal(hosts,
		[]string{"docs.example.com", "*.docs.example.com"}) {
		t.Errorf("its hosts are %q", hosts)
	}
}

// A pod added by an autoscaler needs a link that still works.
func TestNotesWarnOfAutoscalingWithExpiringLink(t *testing.T) {
	for name, row := range map[string]struct {
		rendering
		want bool
	}{
		"presigned, scaled": {rendering{files: []string{"static"},
			set: []string{"staticExport.autoscaling.enabled=true"}}, true},
		"presigned, not scaled": {rendering{files: []string{"static"}}, false},
		"our own link, scaled": {rendering{files: []string{"static"},
			set:   []string{"staticExport.autoscaling.enabled=true"},
			texts: []string{"staticExport.bundleUrl=https://a.example/b?expires=1&signature=2"}}, true},
		"a bucket, scaled": {rendering{files: []string{"static-gateway"},
			set: []string{"staticExport.autoscaling.enabled=true"}}, false},
	} {
		out, errs, err := helm(t, row.args("install", release, chartFolder, "--dry-run=client")...)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, errs)
		}
		if got := strings.Contains(out, "WARNING: staticExport.autoscaling is on"); got != row.want {
			t.Errorf("%s: warning shown: %t", name, got)
		}
	}
}
