package jsonld

import (
	"encoding/json"
	"time"

	"github.com/lectern-docs/lectern/internal/site"
)

// Site holds the data that all pages share. URL is absolute, without a trailing slash.
type Site struct {
	URL, Name, Description, Language string
	Logo                             string // absolute; "" = none
	Organization                     site.Organization
}

// Page is one page. URL is absolute.
type Page struct {
	URL, Title, Description, Language string
	Image                             string // absolute; "" = none
	Keywords                          []string
	Crumbs                            []Crumb // from the outermost ancestor to the page itself
	API                               bool
	Modified                          time.Time // zero = unknown
}

// Crumb is a step on the path to a page. URL is "" for a group without its own page.
type Crumb struct{ Name, URL string }

// node is a node of the graph. Its fields are written in this order.
type node struct {
	Type         string   `json:"@type,omitempty"`
	ID           string   `json:"@id,omitempty"`
	Name         string   `json:"name,omitempty"`
	LegalName    string   `json:"legalName,omitempty"`
	Headline     string   `json:"headline,omitempty"`
	URL          string   `json:"url,omitempty"`
	Description  string   `json:"description,omitempty"`
	Language     string   `json:"inLanguage,omitempty"`
	Logo         string   `json:"logo,omitempty"`
	Image        string   `json:"image,omitempty"`
	SameAs       []string `json:"sameAs,omitempty"`
	Keywords     []string `json:"keywords,omitempty"`
	DateModified string   `json:"dateModified,omitempty"`
	Publisher    *node    `json:"publisher,omitempty"`
	Author       *node    `json:"author,omitempty"`
	PartOf       *node    `json:"isPartOf,omitempty"`
	Breadcrumb   *node    `json:"breadcrumb,omitempty"`
	MainEntity   *node    `json:"mainEntityOfPage,omitempty"`
	Position     int      `json:"position,omitempty"`
	Item         string   `json:"item,omitempty"`
	Elements     []node   `json:"itemListElement,omitempty"`
}

// Render writes the graph of a page.
func Render(s Site, p Page) []byte {
	org := organization(s)
	web := node{
		Type: "WebSite", ID: s.URL + "/#website", Name: s.Name, URL: s.URL + "/", Description: s.Description,
		Language:  s.Language,
		Publisher: ref(org.ID),
	}
	modified := ""
	if !p.Modified.IsZero() {
		modified = p.Modified.UTC().Format(time.RFC3339)
	}
	page := node{
		Type: "WebPage", ID: p.URL + "#webpage", Name: p.Title, URL: p.URL, Description: p.Description,
		Language:     p.Language,
		DateModified: modified, PartOf: ref(web.ID), Image: p.Image,
	}
	article := node{
		Type: "TechArticle", ID: p.URL + "#article", Headline: p.Title, Description: p.Description,
		Language: p.Language,
		Keywords: p.Keywords, Image: p.Image, DateModified: modified, Author: ref(org.ID), Publisher: ref(org.ID),
		MainEntity: ref(page.ID),
	}
	if p.API {
		article.Type = "APIReference"
	}
	list := []node{org, web, page, article}
	if crumbs := breadcrumbs(p); len(crumbs.Elements) > 0 {
		list[2].Breadcrumb = ref(crumbs.ID)
		list = append(list, crumbs)
	}
	out, err := json.Marshal(struct { // escapes "<", ">" and "&"
		Context string `json:"@context"`
		Graph   []node `json:"@graph"`
	}{"https://schema.org", list})
	if err != nil {
		return nil // cannot happen: strings and numbers only
	}
	return out
}

func ref(id string) *node { return &node{ID: id} }

// organization returns the publisher of the site. Its name is the site's name unless the author set another one.
func organization(s Site) node {
	o := s.Organization
	n := node{Type: "Organization", ID: o.ID, Name: o.Name, LegalName: o.LegalName, URL: o.URL, Logo: o.Logo,
		SameAs: o.SameAs}
	if n.ID == "" {
		n.ID = s.URL + "/#organization"
	}
	if n.Name == "" {
		n.Name = s.Name
	}
	if n.URL == "" {
		n.URL = s.URL + "/"
	}
	if n.Logo == "" {
		n.Logo = s.Logo
	}
	return n
}

// breadcrumbs returns the path to the page. It omits steps without their own page, because the vocabulary permits
// only the last step to have no address.
func breadcrumbs(p Page) node {
	n := node{Type: "BreadcrumbList", ID: p.URL + "#breadcrumb"}
	for _, c := range p.Crumbs {
		if c.URL == "" || c.Name == "" {
			continue
		}
		n.Elements = append(n.Elements,
			node{Type: "ListItem", Position: len(n.Elements) + 1, Name: c.Name, Item: c.URL})
	}
	return n
}
