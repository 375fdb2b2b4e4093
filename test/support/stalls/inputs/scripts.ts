import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HostileInput } from '../hostile-input.ts'
import type { StallSetup } from '../setup.ts'
import type { Variation } from '../variation.ts'

// Costs of scripts, variables and targets: for the worker at each run, and for the web process when a script is saved.

const MIB = 1_048_576

type Probe = {
  answer: (variation: Variation) => { body: string | Buffer; headers?: Record<string, string> }
  script: (url: string, variation: Variation) => string
  variables?: (variation: Variation) => Record<string, { value: string; type: 'variable' | 'secret' }>
}

/** Runs a script once, in a new service that has these variables and stores bodies. */
async function runOnce(
  { api, projectId }: StallSetup,
  script: string,
  variables: Record<string, { value: string; type: string }>,
  variation: Variation,
): Promise<void> {
  const expectOk = async (method: string, path: string, body?: object) => {
    const { status, text } = await api(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`)
    return JSON.parse(text || 'null')
  }
  const given = { projectId, name: `Hostile ${variation.unique()}`, schedule: '0 0 1 1 *', saveResponseBodies: true }
  const { id, version } = await expectOk('POST', '/services', given)
  for (const [key, variable] of Object.entries(variables)) {
    await expectOk('POST', `/services/${id}/variables`, { key, ...variable })
  }
  await expectOk('PATCH', `/services/${id}/script`, { script, version })
  const { runId } = await expectOk('POST', `/services/${id}/run?wait=30`)
  while ((await expectOk('GET', `/services/${id}/runs/${runId}?wait=30`)).state !== 'done');
}

/** Returns an input that runs a script against a target with one fixed response. */
function run(name: string, probe: Probe): HostileInput {
  return {
    name: `run: ${name}`,
    process: 'worker',
    async send(setup, variation) {
      const { body, headers = {} } = probe.answer(variation)
      const server = createServer((_, response) => response.writeHead(200, headers).end(body)).listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      try {
        await runOnce(setup, probe.script(url, variation), probe.variables?.(variation) ?? {}, variation)
      } finally {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

/** Returns an input that saves a script that uses a variable with this value. */
function save(name: string, script: (variation: Variation) => string, value: string): HostileInput {
  return {
    name: `save: ${name}`,
    process: 'web',
    async send(setup: StallSetup, variation) {
      const key = `v${variation.unique()}`
      await setup.api('POST', `/services/${setup.serviceId}/variables`, { key, value, type: 'variable' })
      const written = script(variation).replaceAll('$s.v', `$s.${key}`)
      const { status, text } = await setup.api('POST', '/services', {
        projectId: setup.projectId,
        name: `Hostile ${variation.unique()}`,
        script: written,
      })
      if (status !== 200 && status !== 400) throw new Error(`a save answered ${status}: ${text}`)
    },
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const LONG = 'x'.repeat(4_096)

const LARGE_JSON = [
  (bytes: number) => `[${'{"a":1},'.repeat(bytes / 8 - 2)}1]`,
  (bytes: number) => `[${'[],'.repeat(bytes / 3 - 2)}1]`,
  (bytes: number) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  (bytes: number) => `{${Array.from({ length: bytes / 14 }, (_, at) => `"k${at}":1`).join()}}`,
  (bytes: number) => JSON.stringify('é"\\'.repeat(bytes / 6)),
] as const

function largeJson(variation: Variation): string {
  return variation.pick(LARGE_JSON)(variation.integer(9 * MIB, MIB, 9.5 * MIB))
}

export const SCRIPT_INPUTS: HostileInput[] = [
  run('a body that nearly spells a secret everywhere', {
    answer: (variation) => ({
      body: variation.pick(['x', '€', 'xx=']).repeat(variation.integer(3_000_000, 100_000, 3_000_000)),
    }),
    script: (url) => `get("${url}").check(body: "nothing").assert({ check: [this.body eq "$s.s"] })`,
    variables: (variation) => ({
      s: { value: `${'x'.repeat(4_095)}y`, type: 'secret' },
      t: { value: variation.pick(['€', '\u0001', '"<&']).repeat(variation.integer(1_300, 10, 1_300)), type: 'secret' },
    }),
  }),
  run('a large body that is compared with itself fifty times', {
    answer: (variation) => ({ body: largeJson(variation), headers: JSON_TYPE }),
    script: (url, variation) =>
      `get("${url}").assert({ check: [${`${variation.pick(['this.body eq this.body', 'includes("nowhere", this.body)', 'this.body', '[this.body] eq [this.body]'])}, `.repeat(50)}] })`,
  }),
  run('a string that nearly matches another one everywhere', {
    answer: (variation) => {
      const half = variation.integer(2_000_000, 1_000, 2_000_000)
      return {
        body: JSON.stringify({ n: `${'a'.repeat(half)}b${'a'.repeat(half)}`, h: 'a'.repeat(5_000_000) }),
        headers: JSON_TYPE,
      }
    },
    script: (url) => `get("${url}").assert({ check: [includes(this.body.n, this.body.h)] })`,
  }),
  run('a JSON Schema with exponential cost', {
    answer: (variation) => ({ body: `[${'1,'.repeat(variation.integer(1, 1, 100_000))}1]`, headers: JSON_TYPE }),
    script: (url) => `get("${url}").expect(body: schema($s.schema))`,
    variables: (variation) => {
      const $defs: Record<string, unknown> = { d0: { type: 'array' } }
      const levels = variation.integer(50, 5, 50)
      for (let level = 1; level < levels; level++) {
        const $ref = `#/$defs/d${level - 1}`
        $defs[`d${level}`] = variation.pick([{ allOf: [{ $ref }, { $ref }] }, { anyOf: [{ $ref }, { not: { $ref } }] }])
      }
      const value = JSON.stringify({ $defs, $ref: `#/$defs/d${levels - 1}` })
      return { schema: { value: value.slice(0, 4_096), type: 'variable' } }
    },
  }),
  run('bodies in charsets that are slow to decode', {
    answer: (variation) => ({
      body: Buffer.from('€'.repeat(variation.integer(3_400_000, 1_000, 3_400_000))),
      headers: {
        'content-type': `text/plain; charset=${variation.pick(['gb18030', 'iso-8859-1', 'shift_jis', 'utf-16le'])}`,
      },
    }),
    script: (url) => `get("${url}").expect(body: "x").assert({ check: [this.body eq 1] })`,
  }),
  run('long URLs and headers of many calls', {
    answer: (variation) => ({
      body: '{}',
      headers: Object.fromEntries(
        Array.from({ length: variation.integer(50, 1, 60) }, (_, at) => [`h${at}`, 'v'.repeat(1_000)]),
      ),
    }),
    script: (url, variation) =>
      `get("${url}/$s.v", { headers: { a: "$s.v$s.v$s.v", b: "$s.v$s.v$s.v" } }).wait(0)\n`.repeat(
        variation.integer(400, 10, 400),
      ),
    variables: () => ({ v: { value: LONG, type: 'variable' } }),
  }),
  run('the maximum number of assertions', {
    answer: () => ({ body: '{}', headers: JSON_TYPE }),
    script: (url, variation) =>
      `get("${url}").assert({ check: [${variation.pick(['1,', 'null,', '[],']).repeat(6_500)}] })`,
  }),
  run('interpolated strings that grow without limit', {
    answer: () => ({ body: LONG }),
    script: (url, variation) =>
      variation.pick([
        `post("${url}", { body: form({ a: "${'$s.v'.repeat(2_500)}" }) }).wait(0)`,
        `post("${url}", { body: json({ a: "${'$s.v'.repeat(2_500)}" }) }).wait(0)`,
        `get("${url}").assert({ check: ["${'$s.v'.repeat(13_000)}" eq 1] })`,
        `get("${url}").store({ "$$v": this.body }) get("${url}/${'$$v'.repeat(13_000)}").wait(0)`,
      ]),
    variables: (variation) => ({ v: { value: variation.pick(['€', 'x', '"']).repeat(4_096), type: 'variable' } }),
  }),
  save(
    'a URL of 13,000 references to a long variable',
    (variation) => `get("http://a.example/${'$s.v'.repeat(variation.integer(3_500, 100, 3_500))}").expect(status: 200)`,
    LONG,
  ),
  save(
    'a script with very many tokens',
    (variation) =>
      `get("http://a.example/").assert({ check: [${variation.pick(['1,', '$s.v,', '$x,', '"$s.v",']).repeat(9_000)}] })`,
    LONG,
  ),
  save(
    'names that are similar to those of variables',
    (variation) =>
      `get("http://a.example/").assert({ check: [${Array.from({ length: variation.integer(900, 10, 900) }, (_, at) => `$s.x${'y'.repeat(55)}${at}`).join()}] })`,
    LONG,
  ),
]
