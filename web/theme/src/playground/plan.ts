// The plan of a request, which pages about operations contain as JSON. internal/render/apipage/plan.go writes it: change both.
export interface Property { name: string; schema: number; required?: boolean }

// Schema describes a value. Numbers in items, options and so on are indexes in Plan.schemas.
export interface Schema {
  type?: string;
  title?: string;
  description?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  nullable?: boolean;
  readOnly?: boolean;
  deprecated?: boolean;
  file?: boolean;
  properties?: Property[];
  additional?: number;
  items?: number;
  options?: number[];
  discriminator?: string;
  tagged?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Variable { name: string; default?: string; enum?: string[]; description?: string }
export interface Server { url: string; description?: string; variables?: Variable[] }
export interface Flow { tokenUrl?: string; authorizationUrl?: string; scopes?: Record<string, string> }
export interface Scheme {
  key?: string;
  type: string;
  in?: string;
  name?: string;
  prefix?: string;
  description?: string;
  scopes?: string[];
  default?: string;
  flows?: Record<string, Flow>;
}

// Styled describes how a value is written into a URL, a header, a cookie or a form.
export interface Styled { name: string; in?: string; style?: string; explode?: boolean; allowReserved?: boolean; content?: string }
export interface Parameter extends Styled {
  in: string;
  schema: number;
  required?: boolean;
  deprecated?: boolean;
  description?: string;
  example?: unknown;
}
export interface Encoding { contentType?: string; style?: string; explode?: boolean; allowReserved?: boolean }
export interface Media {
  type: string;
  required?: boolean;
  schema?: number;
  examples?: { name?: string; value: unknown }[];
  encoding?: Record<string, Encoding>;
}

export interface Plan {
  method: string;
  path: string;
  title?: string;
  servers: Server[];
  proxy: "has" | "maybe" | "none" | "";
  proxyURL?: string;
  credentials?: boolean;
  security?: Scheme[][];
  optional?: boolean;
  parameters?: Parameter[];
  bodies?: Media[];
  languages?: string[];
  schemas?: Schema[];
  spec?: string;
}
