/** The message of a failure, as a generic webhook gets it. A test compares its fields with those of real messages. */
export const WEBHOOK_MESSAGE = `{
  "type": "service.failed",
  "timestamp": "2026-11-22T09:30:00.000Z",
  "data": {
    "organization": { "id": "…", "name": "Acme" },
    "workspace": { "id": "…", "name": "Shop" },
    "project": { "id": "…", "name": "Web" },
    "service": { "id": "…", "name": "Checkout" },
    "incident": {
      "id": "…",
      "openedAt": "2026-11-22T09:29:58.000Z",
      "failingSince": "2026-11-22T09:28:58.000Z",
      "summary": "GET https://shop.example/cart: status 500, expected 200",
      "downMs": null
    },
    "result": {
      "id": "…",
      "status": "failure",
      "startedAt": "2026-11-22T09:29:58.000Z",
      "agentSlug": "eu-1",
      "runDurationMs": 412,
      "totalResponseMs": 385,
      "assertions": [
        { "stepNum": 1, "method": "expect", "scope": "status", "op": "eq", "expected": 200, "actual": 500 }
      ],
      "error": null
    },
    "failure": {
      "summary": "GET https://shop.example/cart: status 500, expected 200",
      "cause": "status 500, expected 200",
      "status": "failure",
      "step": { "stepNum": 1, "method": "GET", "url": "https://shop.example/cart", "statusCode": 500 },
      "assertion": { "stepNum": 1, "method": "expect", "scope": "status", "op": "eq", "expected": 200, "actual": 500 },
      "error": null,
      "phase": null,
      "moreFailed": 0,
      "excerpt": "Internal Server Error"
    },
    "agents": [
      {
        "agentId": "…",
        "agentSlug": "eu-1",
        "status": "failure",
        "since": "2026-11-22T09:28:58.000Z",
        "failingRuns": 2,
        "summary": "GET https://shop.example/cart: status 500, expected 200",
        "resultId": "…"
      }
    ],
    "links": {
      "service": "https://soundline.example/services/…",
      "result": "https://soundline.example/services/…/results/…",
      "incident": "https://soundline.example/incidents/…"
    }
  }
}`

export const WEBHOOK_TEMPLATE = `{
  "text": "{{title}}",
  "details": "{{failure.summary}}",
  "url": "{{links.incident}}",
  "down": {{incident.downMs}}
}`
