// Checks webhook deliveries with the Standard Webhooks library, and cards for Microsoft Teams with Microsoft's Adaptive
// Cards library. Input: JSON on stdin with deliveries, each with its headers, its body and the secrets that must and
// must not verify it, and with the bodies of messages that contain cards. It prints the number of checks.
import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import adaptivecards from "adaptivecards";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

const { AdaptiveCard, SerializationContext } = adaptivecards;
const counted = { verified: 0, refused: 0, cards: 0 };

// faults returns the library's findings about a card.
function faults(content) {
  const card = new AdaptiveCard();
  const context = new SerializationContext();
  card.parse(content, context);
  const said = card.validateProperties().validationEvents.map((one) => one.message);
  for (let i = 0; i < context.eventCount; i++) said.push(context.getEventAt(i).message);
  return said;
}

function refuse(secret, body, headers, message) {
  assert.throws(() => new Webhook(secret).verify(body, headers), (err) => {
    assert(err instanceof WebhookVerificationError, String(err));
    assert.match(err.message, message);
    return true;
  });
  counted.refused++;
}

const { deliveries, cards } = JSON.parse(await text(process.stdin));
for (const { headers, body, valid, invalid } of deliveries) {
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
for (const body of cards) {
  const { type, attachments } = JSON.parse(body);
  assert.equal(type, "message");
  for (const { contentType, content } of attachments) {
    assert.equal(contentType, "application/vnd.microsoft.card.adaptive");
    assert.deepEqual(faults(content), []);
    // The library detects mistakes in a card that is not ours.
    assert.notDeepEqual(faults({ ...content, body: [{ type: "RichTextBlok", inlines: [] }] }), []);
    assert.notDeepEqual(faults({ ...content, actions: [{ type: "Action.Open", url: "x" }] }), []);
    counted.cards++;
  }
}
console.log(JSON.stringify(counted));
