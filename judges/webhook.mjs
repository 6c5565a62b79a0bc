// Judges deliveries of webhooks with the library of Standard Webhooks. Input: JSON on stdin, a list of deliveries, each
// with its headers and body and the secrets that must, and must not, verify it. It prints what it counted.
import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

const counted = { verified: 0, refused: 0 };

function refuse(secret, body, headers, message) {
  assert.throws(() => new Webhook(secret).verify(body, headers), (err) => {
    assert(err instanceof WebhookVerificationError, String(err));
    assert.match(err.message, message);
    return true;
  });
  counted.refused++;
}

for (const { headers, body, valid, invalid } of JSON.parse(await text(process.stdin))) {
  for (const secret of valid) {
    assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
    counted.verified++;
    refuse(secret, body.replace('"sequence":', '"sequence":1'), headers, /signature/);
    refuse(secret, body, { ...headers, "webhook-id": `${headers["webhook-id"]}x` }, /signature/);
    const now = Date.now;
    Date.now = () => now() + 6 * 60 * 1000; // the library accepts five minutes
    refuse(secret, body, headers, /too old/);
    Date.now = now;
  }
  for (const secret of invalid) refuse(secret, body, headers, /signature/);
}
console.log(JSON.stringify(counted));
