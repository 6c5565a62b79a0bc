// Package integration lists the third-party services that docs.json can add to pages with just an id.
//
// Inputs: the fields below integrations.NAME. Outputs: which values are valid, and what the content security policy
// of pages must allow. It never contacts a service. The script of each service is
// web/theme/src/integrations/NAME.ts.
//
// The loaders were compared with public material in November 2026; none was run with a real account. A browser test
// looks for the tag that ga4 adds.
//
//   - Address, global and queue as in the vendor's documentation or source: amplitude, fathom, frontchat, gtm, heap (the
//     snippet with heap-ID.js; newer accounts are offered another one), hightouch, mixpanel, posthog, segment.
//   - Sources as in the vendor's documentation: gtm (without tags of the container, custom code and preview mode), heap,
//     intercom (without form-action, which pages do not open), posthog. Hotjar's package names *.hotjar.com for
//     scripts; its sources of styles and fonts are not confirmed.
//   - Address and global as on public sites, without a page of the vendor: clarity, hotjar, koala, logrocket (it
//     also has newer hosts), pirsch (its page shows the snippet as a picture).
//   - Not confirmed: adobe, clearbit, intercom's queue, plausible; what the loaders load in turn. Reports of blocked
//     content list what is missing.
package integration
