package config

import "github.com/lectern-docs/lectern/internal/fault"

const envBundleSource = envPrefix + "BUNDLE_SOURCE"

// Bundle is what serve-bundle takes from the environment; "" when unset.
type Bundle struct {
	Source                             string // a presigned link is a secret
	AccessKey, SecretKey, SessionToken string
	LogFormat, LogLevel                string
}

// Bundle returns the variables of serve-bundle.
func (e Env) Bundle() (b Bundle, err error) {
	b.Source, b.LogFormat, b.LogLevel = e[envBundleSource], e[EnvName("log.format")], e[EnvName("log.level")]
	for _, s := range []struct {
		key string
		to  *string
	}{{"s3.access-key", &b.AccessKey}, {"s3.secret-key", &b.SecretKey}, {"s3.session-token", &b.SessionToken}} {
		if *s.to, err = readSecret(e, s.key, e[EnvName(s.key+"-file")]); err != nil {
			return b, err
		}
	}
	return b, nil
}

// S3Object reads the address of one object: s3://BUCKET/KEY with the queries of the blob setting. The key is the place's Prefix.
func S3Object(text string) (S3, error) {
	place, err := parseS3(text)
	if err != nil || place.Prefix == "" {
		return S3{}, fault.New(fault.Invalid, "bad_source", "source: must be s3://BUCKET/KEY, with region, endpoint and path-style as queries, and without keys.").WithField("source").WithCause(err)
	}
	return place, nil
}
