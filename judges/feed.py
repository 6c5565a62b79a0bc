"""Reads a feed with feedparser and prints the result as JSON."""

import json
import sys

import feedparser

with open(sys.argv[1], "rb") as file:
    # As a feed reader receives it: the type determines how the feed is decoded.
    found = feedparser.parse(file.read(), response_headers={"content-type": "application/rss+xml; charset=utf-8"},
                             resolve_relative_uris=False, sanitize_html=False)

print(json.dumps({
    "problem": repr(found.bozo_exception) if found.bozo else "",
    "version": found.version,
    "link": found.feed.get("link"),
    "self": [a.href for a in found.feed.get("links", []) if a.rel == "self"],
    "items": [{
        "title": e.get("title"),
        "link": e.get("link"),
        "guid": e.get("id"),
        "permanent": e.get("guidislink", False),
        "date": list(e.published_parsed[:3]) if e.get("published_parsed") else None,
        "summary": e.get("summary"),
        "content": "".join(c.value for c in e.get("content", []) if c.type == "text/html"),
        "tags": [t.term for t in e.get("tags", [])],
    } for e in found.entries],
}))
