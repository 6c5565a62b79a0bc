// Names on the window that separately loaded scripts use to call each other.
import type { Assistant } from "./assistant/site";
import type { WidgetOptions } from "./assistant/widget";
import type { Language } from "./playground/highlight";
import type { Engine } from "./search/engine";

declare global {
  interface Window {
    // Set by search.js, which pages load when a reader first searches.
    lecternSearch?: { open: (index: string) => Promise<Engine> };
    // Set by assistant.js, which pages load when a reader first asks.
    lecternAssistant?: Assistant;
    // Set by the widget, for scripts of other sites.
    LecternAssistant?: {
      init: (options?: WidgetOptions) => void;
      update: (options?: WidgetOptions) => void;
      open: () => void;
      close: () => void;
      ask: (question: string) => void;
      destroy: () => void;
    };
    // The file of a large section calls it with its tree.
    lecternTree?: (html: string) => void;
    doNotTrack?: string;
    // Set by the script that draws diagrams.
    mermaid?: { initialize: (config: object) => void; render: (id: string, source: string) => Promise<{ svg: string }> };
  }
  interface Navigator {
    // Not in every browser.
    readonly globalPrivacyControl?: boolean;
    readonly connection?: { readonly saveData?: boolean; readonly effectiveType?: string };
  }
  interface Document {
    // Not in every browser.
    readonly prerendering?: boolean;
  }
  // The widget's style sheet, inserted by the bundler.
  const WIDGET_STYLE: string;
  // The playground's highlighting rules, defined by the bundler.
  const SAMPLE_RULES: Record<string, Language>;
  // The files of a search index are scripts that call this with their name and content.
  var lecternIndex: (name: string, value: unknown) => void;
}
