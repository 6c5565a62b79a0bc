package saml

import (
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
	"github.com/russellhaering/goxmldsig/etreeutils"
)

// Namespaces of the relevant elements.
const (
	nsProtocol  = "urn:oasis:names:tc:SAML:2.0:protocol"
	nsAssertion = "urn:oasis:names:tc:SAML:2.0:assertion"
	nsSignature = "http://www.w3.org/2000/09/xmldsig#"
)

// Accepted algorithms. SHA-1 is never accepted.
var (
	signatureMethods = []string{dsig.RSASHA256SignatureMethod, dsig.RSASHA384SignatureMethod,
		dsig.RSASHA512SignatureMethod, dsig.ECDSASHA256SignatureMethod, dsig.ECDSASHA384SignatureMethod,
		dsig.ECDSASHA512SignatureMethod}
	digestMethods = []string{"http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2001/04/xmldsig-more#sha384",
		"http://www.w3.org/2001/04/xmlenc#sha512"}
)

// errUnsigned means that an element itself is not signed.
var errUnsigned = errors.New("it is not signed")

// errKey means that no key of the provider matches a signature; the keys may be outdated.
var errKey = errors.New("no key of the provider matches the signature")

// verify checks an element's signature, and returns the element parsed from exactly the signed bytes.
func verify(el *etree.Element, keys []*x509.Certificate, now time.Time) (*etree.Element, error) {
	if err := checkSignature(el); err != nil {
		return nil, err
	}
	ctx, err := etreeutils.NSBuildParentContext(el)
	if err == nil {
		ctx, err = ctx.SubContext(el)
	}
	if err == nil {
		el, err = etreeutils.NSDetatch(ctx, el)
	}
	if err != nil {
		return nil, errors.New("its namespaces cannot be resolved")
	}
	// The key named in the signature is ignored: all of the provider's keys are tried.
	signature := children(el, nsSignature, "Signature")[0]
	for _, info := range children(signature, nsSignature, "KeyInfo") {
		signature.RemoveChild(info)
	}
	expired := 0
	for _, key := range keys {
		if now.Before(key.NotBefore) || now.After(key.NotAfter) {
			expired++
			continue
		}
		validation := &dsig.ValidationContext{IdAttribute: "ID", Clock: dsig.NewFakeClockAt(now),
			CertificateStore: &dsig.MemoryX509CertificateStore{Roots: []*x509.Certificate{key}}}
		if signed, err := validation.Validate(el); err == nil {
			return signed, nil
		}
	}
	if expired > 0 {
		return nil, fmt.Errorf("%w; %d of %d certificates are outside their validity period", errKey, expired, len(keys))
	}
	return nil, errKey
}

// checkSignature checks that the element has exactly one signature, that the signature covers only this element, and
// that it uses accepted algorithms. The library would use the first signature that it finds anywhere below the element.
func checkSignature(el *etree.Element) error {
	list := children(el, nsSignature, "Signature")
	if len(list) == 0 {
		return errUnsigned
	}
	if len(list) > 1 {
		return errors.New("it has several signatures")
	}
	id := el.SelectAttrValue("ID", "")
	info, err := only(list[0], "SignedInfo")
	if err != nil {
		return err
	}
	method, err := only(info, "SignatureMethod")
	if err != nil {
		return err
	}
	reference, err := only(info, "Reference")
	if err != nil {
		return err
	}
	digest, err := only(reference, "DigestMethod")
	if err != nil {
		return err
	}
	switch {
	case id == "" || reference.SelectAttrValue("URI", "") != "#"+id:
		return errors.New("its signature is for another element")
	case !slices.Contains(signatureMethods, method.SelectAttrValue("Algorithm", "")),
		!slices.Contains(digestMethods, digest.SelectAttrValue("Algorithm", "")):
		return errors.New("its signature uses an algorithm that is not accepted, such as SHA-1")
	}
	return nil
}

// only returns the child with this name, in any namespace, if there is exactly one.
func only(el *etree.Element, tag string) (found *etree.Element, err error) {
	for _, c := range el.ChildElements() {
		if c.Tag != tag {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("its signature has several %s", tag)
		}
		found = c
	}
	if found == nil || found.NamespaceURI() != nsSignature {
		return nil, fmt.Errorf("its signature has no %s", tag)
	}
	return found, nil
}

// children returns the direct children with that name.
func children(el *etree.Element, space, tag string) (out []*etree.Element) {
	for _, c := range el.ChildElements() {
		if c.Tag == tag && c.NamespaceURI() == space {
			out = append(out, c)
		}
	}
	return out
}

// count returns the number of elements with a local name in the tree, in any namespace.
func count(el *etree.Element, tag string) (n int) {
	if el.Tag == tag {
		n++
	}
	for _, c := range el.ChildElements() {
		n += count(c, tag)
	}
	return n
}
