// Names on the window that are a contract between scripts that load apart from each other.
import type { Engine } from "./search/engine";

declare global {
  interface Window {
    // Set by search.js, which pages load when a reader first searches.
    lecternSearch?: { open: (index: string) => Promise<Engine> };
    // Set by the script that draws diagrams.
    mermaid?: { initialize: (config: object) => void; render: (id: string, source: string) => Promise<{ svg: string }> };
  }
  interface Navigator {
    // Not in every browser.
    readonly connection?: { readonly saveData?: boolean; readonly effectiveType?: string };
  }
  // The files of a search index are scripts that call this with their name and content.
  var lecternIndex: (name: string, value: unknown) => void;
}
