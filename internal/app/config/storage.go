package config

import (
	"net/url"
	"strconv"
	"strings"
)

// S3 is a location from the blob setting. Keys and tokens are separate settings.
type S3 struct {
	Bucket    string
	Prefix    string // prefix of all object keys; "" or without a trailing slash
	Region    string // "" = the driver's default
	Endpoint  string // URL of the S3 server; "" = the region's standard endpoint
	PathStyle bool   // put the bucket in the path, not in the host name
}

// OnS3 returns the location of blobs, or false if they are stored in the data folder.
func (s *Server) OnS3() (S3, bool, error) {
	if s.Blob == "" {
		return S3{}, false, nil
	}
	place, err := parseS3(s.Blob)
	return place, err == nil, err
}

func parseS3(text string) (S3, error) {
	setting := find("blob")
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "s3" || u.Host == "" {
		return S3{}, setting.bad("must be s3://BUCKET or s3://BUCKET/PREFIX.")
	}
	if u.User != nil {
		return S3{}, setting.bad("must not contain keys; use %s and %s.", EnvName("s3.access-key"),
			EnvName("s3.secret-key"))
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return S3{}, wrapBad(setting, err, "its query cannot be parsed.")
	}
	place := S3{Bucket: u.Host, Prefix: strings.Trim(u.Path, "/")}
	for name, values := range query {
		switch name {
		case "region":
			place.Region = values[0]
		case "endpoint":
			place.Endpoint = values[0]
		case "path-style":
			if place.PathStyle, err = strconv.ParseBool(values[0]); err != nil {
				return S3{}, setting.bad("path-style must be true or false, not %q.", values[0])
			}
		default:
			return S3{}, setting.bad("unknown parameter %q; valid ones are region, endpoint and path-style.", name)
		}
	}
	return place, checkEndpoint(setting, place.Endpoint)
}

// checkEndpoint validates the URL of an S3 server. Its errors do not quote the URL, because it may contain a password.
func checkEndpoint(setting Setting, endpoint string) error {
	e, err := url.Parse(endpoint)
	switch {
	case endpoint == "":
		return nil
	case err != nil || e.Host == "" || e.Scheme != "http" && e.Scheme != "https":
		return setting.bad("its endpoint must be an http or https URL.")
	case e.User != nil:
		return setting.bad("its endpoint must not contain keys; use %s and %s.", EnvName("s3.access-key"),
			EnvName("s3.secret-key"))
	}
	return nil
}

func (s *Server) checkStorage() error {
	if s.Database != "" {
		u, err := url.Parse(s.Database)
		if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
			// url.Parse quotes its input, which may contain a password, so the cause is not kept.
			return find("database").bad("must be a postgres:// URL, or empty for SQLite in the data folder.")
		}
	}
	if s.Repositories != "" && s.Database == "" {
		return find("repositories").
			bad(
				"is only for processes that share a PostgreSQL database; with SQLite, repositories are in the data folder.")
	}
	_, _, err := s.OnS3()
	return err
}
