import type { ResultStep } from '#server/schemas/results/results.ts'

/** A step as a result shows it: a GET that passed, without assertions, headers and body. */
export function resultStep(given: Partial<ResultStep> = {}): ResultStep {
  const { stepNum = 1 } = given
  return {
    id: `00000000-0000-4000-8000-00000000000${stepNum}`,
    stepNum,
    method: 'GET',
    urlTemplate: `https://a.example/${stepNum}`,
    outcome: 'success',
    requestUrl: `https://a.example/${stepNum}`,
    statusCode: 200,
    responseTimeMs: 80,
    dnsMs: 10,
    connectMs: 20,
    tlsMs: null,
    ttfbMs: 45,
    transferMs: 5,
    waitMs: 0,
    traceId: null,
    responseSizeBytes: 2,
    error: null,
    assertionResults: [],
    headers: {},
    hasBody: false,
    bodyNotStoredReason: 'no_body',
    ...given,
  }
}
