import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProbeResult } from '#server/language/lace/result.ts'
import { createRedactor } from '#server/runs/redaction/redact.ts'
import { spellings } from '#server/runs/redaction/secret-spellings.ts'
import { MASK } from '#server/schemas/variables.ts'
import { SEED } from '#test/support/seed.ts'

const encodings: [string, (text: string) => string][] = [
  ['as it is', (text) => text],
  ['in lower case', (text) => text.toLowerCase()],
  ['coded for a URL', encodeURIComponent],
  ['coded for a URL in lower case', (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase())],
  ['coded for a URL twice', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['as a whole URL', encodeURI],
  ['in a query as the URL parser writes it', (text) => new URL(`http://example.com/?${text}`).search.slice(1)],
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
  test.each(encodings)('%s is masked', async (_, encode) => {
    const { text } = await createRedactor(['unrelated-secret', SECRET])
    expect(await text(`before ${encode(SECRET)} and ${encode(SECRET)} after`)).toBe(`before ${MASK} and ${MASK} after`)
  })

  test('is found in base64 at any offset, also after a user name', async () => {
    const { text } = await createRedactor([SECRET])
    for (const kind of ['base64', 'base64url'] as const) {
      for (const before of ['', 'u', 'us', 'user:', 'longer user:']) {
        const encoded = Buffer.from(`${before}${SECRET}:after`).toString(kind)
        const shown = await text(`Basic ${encoded}`)
        expect(shown).toContain(MASK)
        const left = shown.replace('Basic ', '').split(MASK)
        // The rest decodes to the text around the secret, and at most one character of it.
        expect(left.join('').length).toBeLessThanOrEqual(Math.ceil(((before.length + ':after'.length) * 4) / 3) + 4)
      }
    }
  })

  test('of any characters is masked in all encodings', async () => {
    const secrets = fc.string({ unit: 'grapheme', minLength: 3, maxLength: 40 }).filter((text) => text.length >= 3)
    await fc.assert(
      fc.asyncProperty(fc.array(secrets, { minLength: 1, maxLength: 5 }), fc.string(), async (several, around) => {
        const { text } = await createRedactor(several)
        for (const secret of several) {
          for (const [, encode] of encodings) {
            const shown = await text(`${around}${encode(secret)}${around}`)
            if (!MASK.includes(secret)) expect(shown.split(MASK).some((part) => part.includes(secret))).toBe(false)
          }
        }
      }),
      { numRuns: 500, seed: SEED },
    )
  })

  test('of one or two characters is not masked', async () => {
    expect(await (await createRedactor(['ab', 'x', ''])).text('abxab')).toBe('abxab')
  })

  test('is masked completely when it starts with another secret', async () => {
    expect(await (await createRedactor(['token', 'token-long'])).text('token-long token')).toBe(`${MASK} ${MASK}`)
  })
})

test('secrets that overlap are both masked', async () => {
  const redactor = await createRedactor(['alpha-beta', 'beta-gamma'])
  expect(await redactor.text('alpha-beta-gamma, beta-gamma alpha-beta')).toBe(`${MASK}, ${MASK} ${MASK}`)
  const bytes = await redactor.body(Buffer.from('x alpha-beta-gamma y'), 'text/plain')
  expect(bytes?.toString()).toBe(`x ${MASK} y`)
  // Also when the second starts in the next window.
  const before = 'z'.repeat(64 * 1024 - 6)
  expect(await redactor.text(`${before}alpha-beta-gamma`)).toBe(`${before}${MASK}`)
})

describe('a body', async () => {
  const { body } = await createRedactor([SECRET])

  test('of text is masked, even if it declares a wrong charset', async () => {
    expect(await body(Buffer.from(`<${SECRET}>`), 'text/html')).toEqual(Buffer.from(`<${MASK}>`))
    expect(await body(Buffer.from(SECRET), '')).toEqual(Buffer.from(MASK))
    const broken = Buffer.concat([Buffer.from([0xff]), Buffer.from(SECRET)])
    expect(await body(broken, 'application/problem+json; charset=x')).toEqual(
      Buffer.concat([Buffer.from([0xff]), Buffer.from(MASK)]),
    )
  })

  test('that is not text is unchanged', async () => {
    const image = Buffer.concat([Buffer.from([0x89, 0x50, 0xff, 0xfe]), Buffer.from(SECRET)])
    expect(await body(image, 'image/png')).toBe(image)
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
        config: {
          timeout: { ms: 4711, action: 'fail', retries: 0, note: 4711 },
          redirects: { follow: true, max: 10 },
          security: { rejectInvalidCerts: true },
          mine: 47110,
        } as never,
        warnings: [`skipped ${secret}`],
        error: `${secret} refused`,
      },
    ],
  }
}

test('a result is masked everywhere, except in measured numbers', async () => {
  const secret = '4711'
  const result = resultWith(secret)
  const shown = await (await createRedactor([secret])).result(result)
  expect(shown).toMatchObject({
    elapsedMs: 4711,
    runVars: { [`name-${MASK}`]: { nested: [MASK, MASK, `${MASK}0`, true, null] } },
    actions: { variables: { count: MASK, text: `x${MASK}` } },
    error: `cannot reach ${MASK}.example`,
    calls: [
      {
        request: { url: `https://a.example/${MASK}`, headers: { [`X-${MASK}`]: `Bearer ${MASK}` } },
        response: { responseTimeMs: 4711, sizeBytes: 47110, headers: { 'set-cookie': [`a=${MASK}`, 'b=2'] } },
        config: { timeout: { ms: 4711, note: MASK }, redirects: { max: 10 }, mine: `${MASK}0` },
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
  expect(await (await createRedactor([])).result(result)).toBe(result)
})

test('a result keeps its field names when a secret has the spelling of one, or of a part of one', async () => {
  const before = fieldsOf(resultWith('4711'))
  // Fields of extensions are named by the script, so they are masked.
  const names = [...new Set(before)].filter((name) => name.length >= 3 && name !== 'mine' && name !== 'note')
  expect(names).toEqual(expect.arrayContaining(['error', 'method', 'outcome', 'timeout', 'resolvedIps']))
  for (const secret of names.flatMap((name) => [name, name.slice(0, 3)])) {
    const shown = await (await createRedactor([secret])).result(resultWith('4711'))
    expect({ secret, fields: fieldsOf(shown) }).toEqual({
      secret,
      fields: before,
    })
  }
})

/** Returns the field names that the language defines, without names from a script or a target. */
function fieldsOf(result: ProbeResult): string[] {
  const fields: string[] = []
  JSON.stringify(result, (key, item) => {
    if (!/^\d*$/.test(key)) fields.push(key)
    return ['runVars', 'actions', 'headers', 'options'].includes(key) ? null : item
  })
  return fields.sort()
}

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('for any secrets and texts', () => {
  /** A naive reference implementation. */
  function naiveMask(text: string, patterns: string[], mask: string): string {
    let out = ''
    let end = 0
    for (let at = 0; at < text.length; at++) {
      const found = patterns.filter((pattern) => text.startsWith(pattern, at)).map(({ length }) => length)
      if (at >= end) out += found.length > 0 ? mask : text[at]
      end = Math.max(end, ...found.map((length) => at + length))
    }
    return out
  }

  // Few letters, so that secrets overlap, repeat and share prefixes; and any characters.
  const few = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '/', 'é'), minLength: 1, maxLength: 8 })
  const secrets = fc.array(fc.oneof(few, fc.string({ unit: 'grapheme', maxLength: 12 })), {
    minLength: 1,
    maxLength: 6,
  })

  test('the result equals that of a naive search, in strings and in bytes', async () => {
    const around = fc.array(fc.oneof(few, fc.nat({ max: 5 })), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(secrets, around, fc.nat({ max: 60 }), async (several, pieces, length) => {
        const patterns = several.flatMap((secret) => [...spellings(secret)])
        const text = pieces.map((piece) => (typeof piece === 'number' ? (several[piece] ?? '') : piece)).join('')
        const redactor = await createRedactor(several)
        const shown = naiveMask(text, patterns, MASK)
        expect(await redactor.text(text)).toBe(shown)
        const start = await redactor.prefix(text, length)
        // A secret that extends beyond the prefix is masked, and nothing after it is shown.
        expect(start.endsWith(MASK) ? shown : `${shown}${MASK}`).toContain(start)
        const inBytes = (one: string) => Buffer.from(one).toString('latin1')
        const bytes = naiveMask(inBytes(text), patterns.map(inBytes), inBytes(MASK))
        expect((await redactor.body(Buffer.from(text), 'text/plain'))?.toString('latin1')).toBe(bytes)
        const streamed = await buffer(redactor.stream(inParts(Buffer.from(text), Math.max(1, length))))
        expect(streamed.toString('latin1')).toBe(bytes)
      }),
      { numRuns: 400, seed: SEED },
    )
  })

  test('secrets are found across the windows of a long text', async () => {
    const secret = 'windows-secret-'.repeat(200)
    const redactor = await createRedactor([secret, 'tail'])
    for (const before of [65_536 - 3_001, 65_536 - 3_000, 65_536 - 1_500, 65_535, 65_536]) {
      const text = `${'.'.repeat(before)}${secret}tail${secret}${'.'.repeat(70_000)}tail`
      const shown = `${'.'.repeat(before)}${MASK}${MASK}${MASK}${'.'.repeat(70_000)}${MASK}`
      expect(await redactor.text(text)).toBe(shown)
      expect((await redactor.body(Buffer.from(text), ''))?.toString()).toBe(shown)
      for (const bytes of [1_000, 65_536, 65_537, 1_000_000]) {
        expect((await buffer(redactor.stream(inParts(Buffer.from(text), bytes)))).toString()).toBe(shown)
      }
    }
  })

  test('texts that nearly match a long secret everywhere take no longer and do not block the event loop', async () => {
    const x = 'x'.repeat(4_095)
    const deep = Array.from({ length: 8 }, (_, i) => `${'x'.repeat(4_000 + i)}y`)
    for (const several of [[`${x}y`], [`y${x}`], deep, [`${'€'.repeat(2_000)}y`], ['xxx']]) {
      const body = Buffer.from((several[0]?.includes('€') ? '€' : 'x').repeat(400_000))
      const turns = await countTurns(async () => {
        const redactor = await createRedactor(several)
        const shown = await redactor.body(body, 'text/plain')
        expect(shown).toEqual(several[0] === 'xxx' ? Buffer.from(MASK) : body)
      })
      // A quadratic search took seven seconds for the first.
      expect(turns.cpuMs).toBeLessThan(3_000)
    }
    const { text } = await createRedactor([`${x}y`])
    const turns = await countTurns(async () => {
      await text('x'.repeat(8_000_000))
    })
    expect(turns.count).toBeGreaterThan(2)
  })

  test('a body that becomes too large by masking is dropped', async () => {
    const { body } = await createRedactor(['xxx'])
    expect(await body(Buffer.alloc(3_000_000, 'xxx '), 'text/plain')).toBe(null)
  })

  test('an organization does not wait until all automata of another one are built', async () => {
    const ended: string[] = []
    const ending = (one: Promise<unknown>, owner: string) => one.then(() => ended.push(owner))
    const greedy = Array.from({ length: 12 }, (_, i) => {
      const long = Array.from({ length: 12 }, (_, j) => `${i}-${j}${'x'.repeat(3_000)}`)
      return ending(createRedactor(long, 'greedy'), 'greedy')
    })
    await Promise.all([...greedy, ending(createRedactor(['a-secret-of-another'], 'modest'), 'modest')])
    expect(ended.indexOf('modest')).toBeLessThan(3)
  })

  test('secrets that are too long to be searched for are rejected', async () => {
    const several = Array.from({ length: 20 }, (_, i) => `${i}${'€'.repeat(4_090)}`)
    await expect(createRedactor(several)).rejects.toThrow('the secrets of the service are too long')
  })
})

/** Counts the turns of the event loop during `work`, and measures its CPU time. */
async function countTurns(work: () => Promise<void>): Promise<{ count: number; cpuMs: number }> {
  let count = 0
  let timer = setImmediate(function again() {
    count += 1
    timer = setImmediate(again)
  })
  const before = process.cpuUsage()
  await work()
  clearImmediate(timer)
  const { user, system } = process.cpuUsage(before)
  return { count, cpuMs: (user + system) / 1_000 }
}
