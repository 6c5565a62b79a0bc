// Package integration lists the third-party services that docs.json can add to pages with just an id.
//
// Inputs: the fields below integrations.NAME. Outputs: which values are valid, and what the pages' content security
// policy must allow. It never contacts a service. The script of each service is web/theme/src/integrations/NAME.ts.
//
// The loaders were compared with public material in November 2026; none of them was run with a real account. A browser
// test looks for the tag that ga4 adds.
//
//   - Address, global and queue as in the vendor's documentation or source: amplitude, fathom, frontchat, gtm, heap
//     (the snippet with heap-ID.js; newer accounts get a different snippet), hightouch, mixpanel, posthog, segment.
//   - Sources as in the vendor's documentation: gtm (without the container's tags, custom code and preview mode),
//     heap, intercom (without form-action, which pages do not allow), posthog. Hotjar's package names *.hotjar.com for
//     scripts; its sources for styles and fonts are not confirmed.
//   - Address and global as on public sites, because the vendor has no page about them: clarity, hotjar, koala,
//     logrocket (it also has newer hosts), pirsch (its page shows the snippet as a picture).
//   - Not confirmed: adobe, clearbit, intercom's queue, plausible; any scripts that the loaders load in turn. If a
//     source is missing, reports of blocked content show it.
package integration
