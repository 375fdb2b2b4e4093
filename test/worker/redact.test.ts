import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MASK } from '#server/schemas/variables.ts'
import type { ProbeResult } from '#worker/lace/result.ts'
import { createRedactor } from '#worker/probe/redact.ts'

const encodings: [string, (text: string) => string][] = [
  ['as it is', (text) => text],
  ['in lower case', (text) => text.toLowerCase()],
  ['coded for a URL', encodeURIComponent],
  ['coded for a URL in lower case', (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase())],
  ['coded for a URL twice', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['as a whole URL', encodeURI],
  ['in a query as it is sent', (text) => new URL(`http://example.com/?${text}`).search.slice(1)],
  ['coded for a form', (text) => new URLSearchParams({ x: text }).toString().slice(2)],
  ['escaped for JSON', (text) => JSON.stringify(text).slice(1, -1)],
  ['escaped for JSON with slashes', (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/')],
  [
    'escaped for JSON in ASCII',
    (text) =>
      JSON.stringify(text)
        .slice(1, -1)
        .replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ],
  ['escaped for HTML', escapeHtml],
  ['escaped for an HTML attribute', (text) => escapeHtml(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;')],
  ['in hexadecimal', (text) => Buffer.from(text).toString('hex')],
]

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const SECRET = 'Tr0ub&dor <3> "é/ü" 100%+€=?'

describe('a secret', () => {
  test.each(encodings)('%s becomes the mask', (_, encode) => {
    const { text } = createRedactor(['unrelated-secret', SECRET])
    expect(text(`before ${encode(SECRET)} and ${encode(SECRET)} after`)).toBe(`before ${MASK} and ${MASK} after`)
  })

  test('is found in base64 wherever it begins, also beside a user name', () => {
    const { text } = createRedactor([SECRET])
    for (const kind of ['base64', 'base64url'] as const) {
      for (const before of ['', 'u', 'us', 'user:', 'longer user:']) {
        const encoded = Buffer.from(`${before}${SECRET}:after`).toString(kind)
        const shown = text(`Basic ${encoded}`)
        expect(shown).toContain(MASK)
        const left = shown.replace('Basic ', '').split(MASK)
        // What is left on both sides decodes to what stood around the secret, and at most one character of it.
        expect(left.join('').length).toBeLessThanOrEqual(Math.ceil(((before.length + ':after'.length) * 4) / 3) + 4)
      }
    }
  })

  test('of any kind leaves no trace in any encoding', () => {
    const secrets = fc.string({ unit: 'grapheme', minLength: 3, maxLength: 40 }).filter((text) => text.length >= 3)
    fc.assert(
      fc.property(fc.array(secrets, { minLength: 1, maxLength: 5 }), fc.string(), (several, around) => {
        const { text } = createRedactor(several)
        for (const secret of several) {
          for (const [, encode] of encodings) {
            const shown = text(`${around}${encode(secret)}${around}`)
            if (!MASK.includes(secret)) expect(shown.split(MASK).some((part) => part.includes(secret))).toBe(false)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  test('of one or two characters is left alone', () => {
    expect(createRedactor(['ab', 'x', '']).text('abxab')).toBe('abxab')
  })

  test('the longer of two that begin alike goes first', () => {
    expect(createRedactor(['token', 'token-long']).text('token-long token')).toBe(`${MASK} ${MASK}`)
  })
})

describe('a body', () => {
  const { body } = createRedactor([SECRET])

  test('of text is redacted in any charset that has the bytes', () => {
    expect(body(Buffer.from(`<${SECRET}>`), 'text/html')).toEqual(Buffer.from(`<${MASK}>`))
    expect(body(Buffer.from(SECRET), '')).toEqual(Buffer.from(MASK))
    const broken = Buffer.concat([Buffer.from([0xff]), Buffer.from(SECRET)])
    expect(body(broken, 'application/problem+json; charset=x')).toEqual(
      Buffer.concat([Buffer.from([0xff]), Buffer.from(MASK)]),
    )
  })

  test('of other bytes is left as it is', () => {
    const image = Buffer.concat([Buffer.from([0x89, 0x50, 0xff, 0xfe]), Buffer.from(SECRET)])
    expect(body(image, 'image/png')).toBe(image)
  })
})

function resultWith(secret: string): ProbeResult {
  return {
    outcome: 'failure',
    startedAt: '2026-11-21T10:00:00.000Z',
    endedAt: '2026-11-21T10:00:01.000Z',
    elapsedMs: 4711,
    runVars: { [`name-${secret}`]: { nested: [secret, 4711, 47110, true, null] } },
    actions: { variables: { count: 4711, text: `x${secret}` } },
    validationWarnings: [{ code: 'X', callIndex: null, detail: `uses ${secret}` }],
    error: `cannot reach ${secret}.example`,
    calls: [
      {
        index: 0,
        outcome: 'failure',
        startedAt: null,
        endedAt: null,
        request: {
          url: `https://a.example/${secret}`,
          method: 'get',
          headers: { [`X-${secret}`]: `Bearer ${secret}` },
        },
        response: {
          status: 200,
          statusText: secret,
          headers: { 'set-cookie': [`a=${secret}`, 'b=2'] },
          bodyPath: null,
          responseTimeMs: 4711,
          dnsMs: 0,
          connectMs: 0,
          tlsMs: 0,
          ttfbMs: 0,
          transferMs: 0,
          sizeBytes: 47110,
          dns: { resolvedIps: [], resolvedIp: null },
          tls: null,
        },
        redirects: [`https://b.example/?t=${secret}`],
        assertions: [
          {
            method: 'expect',
            scope: 'size',
            op: 'eq',
            outcome: 'failed',
            actual: 4711,
            expected: [`<${secret}>`],
            options: { note: secret },
          },
        ],
        config: { timeout: { ms: 4711, action: 'fail', retries: 0 } } as never,
        warnings: [`skipped ${secret}`],
        error: `${secret} refused`,
      },
    ],
  }
}

test('a result loses the secret everywhere, and keeps what was measured', () => {
  const secret = '4711'
  const result = resultWith(secret)
  const shown = createRedactor([secret]).result(result)
  expect(shown).toMatchObject({
    elapsedMs: 4711,
    runVars: { [`name-${MASK}`]: { nested: [MASK, MASK, `${MASK}0`, true, null] } },
    actions: { variables: { count: MASK, text: `x${MASK}` } },
    error: `cannot reach ${MASK}.example`,
    calls: [
      {
        request: { url: `https://a.example/${MASK}`, headers: { [`X-${MASK}`]: `Bearer ${MASK}` } },
        response: { responseTimeMs: 4711, sizeBytes: 47110, headers: { 'set-cookie': [`a=${MASK}`, 'b=2'] } },
        assertions: [{ actual: MASK, expected: [`<${MASK}>`], options: { note: MASK } }],
        error: `${MASK} refused`,
      },
    ],
  })
  const texts: string[] = []
  JSON.stringify(shown, (key, item) => {
    texts.push(key, ...(typeof item === 'string' ? [item] : []))
    return item
  })
  expect(texts.filter((text) => text.includes(secret))).toEqual([])
  expect(createRedactor([]).result(result)).toBe(result)
})

test('a result keeps the names of its fields when a secret is spelled like one, or like a part of one', () => {
  const before = fieldsOf(resultWith('4711'))
  const names = [...new Set(before)].filter((name) => name.length >= 3)
  expect(names).toEqual(expect.arrayContaining(['error', 'method', 'outcome', 'timeout', 'resolvedIps']))
  for (const secret of names.flatMap((name) => [name, name.slice(0, 3)])) {
    expect({ secret, fields: fieldsOf(createRedactor([secret]).result(resultWith('4711'))) }).toEqual({
      secret,
      fields: before,
    })
  }
})

/** The names that the language gives: not those that a script or a target chose. */
function fieldsOf(result: ProbeResult): string[] {
  const fields: string[] = []
  JSON.stringify(result, (key, item) => {
    if (!/^\d*$/.test(key)) fields.push(key)
    return ['runVars', 'actions', 'headers', 'options'].includes(key) ? null : item
  })
  return fields.sort()
}
