// Calls a server's SCIM endpoints and checks every response with SCIMMY, an implementation of RFC 7643 and RFC 7644:
// resources, lists and errors against its schemas, filters against its matches in the same resources, and PATCH against
// its result for the same request. Argument: the address of /scim/v2; the environment variable SCIM_KEY has the key. It
// prints the number of checks.
import assert from "node:assert/strict";
import SCIMMY from "scimmy";

const base = process.argv[2], key = process.env.SCIM_KEY;
const kinds = { User: SCIMMY.Schemas.User, Group: SCIMMY.Schemas.Group, ResourceType: SCIMMY.Schemas.ResourceType,
  ServiceProviderConfig: SCIMMY.Schemas.ServiceProviderConfig };
const counted = { resources: 0, lists: 0, errors: 0, filters: 0, patches: 0, attributes: 0 };
const plain = (value) => JSON.parse(JSON.stringify(value));

// resource parses a resource with SCIMMY's schema, which throws if it does not match, and checks that nothing is lost.
function resource(body) {
  const kind = kinds[body.meta.resourceType];
  assert(kind, `a resource of the type ${body.meta.resourceType}`);
  assert(body.schemas.includes(kind.definition.id), `schemas ${body.schemas}`);
  const read = new kind(body, "both", body.meta.location.slice(0, body.meta.location.lastIndexOf("/")));
  for (const [name, value] of Object.entries(body)) {
    if (name !== "meta") assert.deepEqual(plain(read[name]), value, `${name} of ${JSON.stringify(body)}`);
  }
  for (const stamp of [body.meta.created, body.meta.lastModified]) {
    if (stamp) assert(!Number.isNaN(Date.parse(stamp)), stamp);
  }
  counted.resources++;
  return read;
}

async function call(status, method, path, body) {
  const response = await fetch(`${base}/${path}`, { method, body: body && JSON.stringify(body),
    headers: { Authorization: `Bearer ${key}`, ...(body && { "Content-Type": "application/scim+json" }) } });
  const text = await response.text();
  assert.equal(response.status, status, `${method} ${path}: ${text}`);
  if (!text) return undefined;
  assert.equal(response.headers.get("content-type"), "application/scim+json");
  const json = JSON.parse(text);
  if (status >= 400) {
    assert.deepEqual(json.schemas, [SCIMMY.Messages.ErrorResponse.id]);
    const read = new SCIMMY.Messages.ErrorResponse({ ...json, schemas: undefined }); // with it, the error is thrown
    assert.equal(read.status, String(status));
    assert.equal(read.detail, json.detail);
    counted.errors++;
  } else if (json.Resources) {
    const read = new SCIMMY.Messages.ListResponse(json);
    assert.equal(read.totalResults, json.totalResults);
    assert.equal(json.itemsPerPage, json.Resources.length);
    for (const one of json.Resources) if (one.meta.resourceType !== "Schema") resource(one);
    counted.lists++;
  } else {
    const read = resource(json);
    if (method === "POST") assert.equal(response.headers.get("location"), json.meta.location);
    if (response.headers.get("etag")) assert.equal(response.headers.get("etag"), json.meta.version);
    return Object.assign(json, { read: () => read });
  }
  return json;
}

// patch sends a request that SCIMMY accepts, too, and compares the resulting resources.
async function patch(path, operations, names) {
  const request = { schemas: [SCIMMY.Messages.PatchOp.id], Operations: operations };
  const before = await call(200, "GET", path);
  const expected = plain(await new SCIMMY.Messages.PatchOp(plain(request)).apply(before.read(), async (it) => it) ?? before.read());
  await call(path.startsWith("Groups") ? 204 : 200, "PATCH", path, request);
  const after = await call(200, "GET", path);
  for (const name of names) {
    const simple = (it) => (name === "members" ? (it[name] ?? []).map((m) => m.value).sort() : it[name]);
    assert.deepEqual(simple(after), simple(expected), `${name} after ${JSON.stringify(operations)}`);
  }
  counted.patches++;
}

// Our schemas describe each attribute as the specification's schemas do, as far as providers depend on it.
function compareSchema(ours) {
  const theirs = Object.values(SCIMMY.Schemas).map((s) => s.definition).find((d) => d.id === ours.id);
  const compare = (mine, find, where) => {
    for (const a of mine) {
      const b = find(a.name);
      assert(b, `${where} has ${a.name}, which the specification does not have`);
      assert.equal(a.type, b.type, `type of ${where}.${a.name}`);
      assert.equal(a.multiValued, b.config.multiValued, `values of ${where}.${a.name}`);
      counted.attributes++;
      if (a.subAttributes) compare(a.subAttributes, (n) => b.subAttributes.find((s) => s.name === n), `${where}.${a.name}`);
    }
  };
  compare(ours.attributes, (n) => theirs.attributes.find((s) => s.name === n), ours.name);
}

await call(200, "GET", "ServiceProviderConfig");
await call(200, "GET", "ResourceTypes");
for (const schema of (await call(200, "GET", "Schemas")).Resources) compareSchema(schema);

const people = [];
for (const name of ["ann", "bob", "cat"]) {
  const sent = new SCIMMY.Schemas.User({ userName: `${name}@example.com`, externalId: `x-${name}`, displayName: `<b>${name}</b>`,
    name: { givenName: name, familyName: "Lee" }, emails: [{ value: `${name}@example.com`, type: "work", primary: true }],
    active: true }, "in");
  people.push(await call(201, "POST", "Users", plain(sent)));
}
await call(409, "POST", "Users", { schemas: [SCIMMY.Schemas.User.definition.id], userName: "ANN@example.com" });
const [ann, bob, cat] = people.map((p) => p.id);
const group = (await call(201, "POST", "Groups", { schemas: [SCIMMY.Schemas.Group.definition.id], displayName: "Staff",
  members: [{ value: ann }] })).id;
await call(201, "POST", "Groups", { schemas: [SCIMMY.Schemas.Group.definition.id], displayName: "Others" });

const user = ["userName", "externalId", "displayName", "name", "active", "emails"];
for (const operations of [
  [{ op: "Replace", path: "displayName", value: "Ann" }],
  [{ op: "replace", value: { active: false } }],
  [{ op: "Add", path: "active", value: true }],
  [{ op: "add", value: { externalId: "other", displayName: "A" } }, { op: "replace", path: "externalId", value: "third" }],
  [{ op: "remove", path: "displayName" }],
  [{ op: "replace", path: 'emails[type eq "work"].value', value: "ann.lee@example.com" }],
  [{ op: "replace", path: "userName", value: "ann.lee" }],
]) await patch(`Users/${ann}`, operations, user);
for (const operations of [
  [{ op: "add", path: "members", value: [{ value: bob }, { value: cat }] }],
  [{ op: "Remove", path: `members[value eq "${bob}"]` }],
  [{ op: "replace", path: "displayName", value: "All" }],
  [{ op: "remove", path: "members" }],
  [{ op: "add", path: "members", value: [{ value: ann }] }],
]) await patch(`Groups/${group}`, operations, ["displayName", "members"]);

for (const [where, filters] of Object.entries({
  Users: ['userName eq "bob@example.com"', 'externalId eq "x-cat" and active eq true', "active eq false", `id eq "${ann}"`,
    'emails.value eq "cat@example.com"', 'emails[type eq "work" and value eq "cat@example.com"]', 'externalId eq "none"'],
  Groups: ['displayName eq "All"', `id eq "${group}" and displayName eq "Others"`, `members.value eq "${ann}"`],
})) {
  await call(200, "PATCH", `Users/${bob}`, { schemas: [SCIMMY.Messages.PatchOp.id], Operations: [{ op: "replace", path: "active", value: false }] });
  const all = (await call(200, "GET", `${where}?count=200`)).Resources;
  for (const filter of filters) {
    const found = (await call(200, "GET", `${where}?filter=${encodeURIComponent(filter)}`)).Resources.map((r) => r.id);
    const expected = new SCIMMY.Types.Filter(filter).match(all.map((r) => ({ members: [], ...r }))).map((r) => r.id);
    assert.deepEqual(found, expected, filter);
    counted.filters++;
  }
}
for (const [status, ...request] of [[404, "GET", "Users/unknown"], [400, "GET", "Users?filter=a"], [501, "POST", "Bulk", {}],
  [400, "PATCH", `Users/${ann}`, { Operations: [{ op: "add", path: "unknown", value: 1 }] }],
  [400, "POST", "Users", {}]]) await call(status, ...request);
for (const id of [ann, bob, cat]) await call(204, "DELETE", `Users/${id}`);
await call(204, "DELETE", `Groups/${group}`);
console.log(JSON.stringify(counted));
