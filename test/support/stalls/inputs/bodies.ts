import type { HostileInput } from '../hostile-input.ts'
import type { StallSetup } from '../setup.ts'
import type { Variation } from '../variation.ts'

const MIB = 1_048_576

// JSON of the most that a request may carry, in the shapes that cost most to read.

const SHAPES = [
  (bytes: number) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  (bytes: number) => `[${'[],'.repeat(bytes / 3 - 2)}[]]`,
  (bytes: number) => `[${'{},'.repeat(bytes / 3 - 2)}{}]`,
  (bytes: number) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`,
  (bytes: number) => `{${Array.from({ length: bytes / 12 }, (_, index) => `"${index}":1`).join()}}`,
  (bytes: number) => `[${'"",'.repeat(bytes / 3 - 2)}""]`,
  (bytes: number) => `[${'0,'.repeat(bytes / 2 - 2)}0]`,
  (bytes: number) => `"${'\\u0041'.repeat(bytes / 6 - 2)}"`,
  (bytes: number) => `"${'x'.repeat(bytes - 20)}"`,
  (bytes: number) => `"${'a@'.repeat(bytes / 2 - 20)}"`,
  (bytes: number) => `"${'a.'.repeat(bytes / 2 - 20)}b"`,
  (bytes: number) => `"${' '.repeat(bytes - 20)}x"`,
  (bytes: number) => `"${'0,'.repeat(bytes / 2 - 20)}"`,
  (bytes: number) => `"${'\\n'.repeat(bytes / 2 - 20)}"`,
  // As many values as are let through.
  () => `[${'0,'.repeat(9_900)}0]`,
  () => `[${'{},'.repeat(4_900)}{}]`,
  () => `[${'"x",'.repeat(9_900)}"x"]`,
  () => `{${Array.from({ length: 9_900 }, (_, index) => `"${index}x":1`).join()}}`,
  () => `{${Array.from({ length: 9_900 }, (_, index) => `"${index}x":"y"`).join()}}`,
] as const

export const BODY_INPUTS: HostileInput[] = [
  {
    name: 'body: 1 MB of JSON to the sign-in',
    process: 'web',
    async send({ send }, vary) {
      const field = vary.pick(['email', 'password', 'code', 'other'])
      await send('/api/trpc/auth.signIn', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: `{"${field}":${shape(vary)}}`,
      })
    },
  },
  {
    name: 'body: JSON to each field of each operation, with a key',
    process: 'web',
    async send(world, vary) {
      const [first, ...others] = await bodyFields(world)
      if (!first) throw new Error('no operation takes a body')
      const { method, path, field } = vary.pick([first, ...others])
      await world.api(method, path, `{"${field}":${shape(vary)}}`)
    },
  },
  {
    name: 'body: a script of 64 kB',
    process: 'web',
    async send({ api, serviceId }, vary) {
      await api('PATCH', `/services/${serviceId}/script`, { version: 1, script: script(vary, 65_000) })
    },
  },
]

type BodyField = { method: string; path: string; field: string }

/** Every field of a body in the published document, with a path that names what there is where it can. */
async function bodyFields({ send, serviceId, projectId }: StallSetup): Promise<BodyField[]> {
  const { paths, components } = JSON.parse((await send('/api/openapi/public/v1.json')).text) as Document
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json'].schema
      const named = schema?.$ref ? components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] : schema
      const target = path
        .replace('/services/{id}', `/services/${serviceId}`)
        .replace('/projects/{id}', `/projects/${projectId}`)
      const filled = target.replaceAll(/\{\w+\}/g, serviceId).slice('/api/public/v1'.length)
      return Object.keys(named?.properties ?? {}).map((field) => ({
        method: method.toUpperCase(),
        path: filled,
        field,
      }))
    }),
  )
}

type Schema = { $ref?: string; properties?: object }
type Document = {
  paths: Record<string, Record<string, { requestBody?: { content: { 'application/json': { schema: Schema } } } }>>
  components: { schemas: Record<string, Schema> }
}

function script(vary: Variation, bytes: number): string {
  const [open, close] = vary.pick([
    ['(', ')'],
    ['[', ']'],
    ['{a:', '}'],
    ['not ', ''],
    ['1 + ', ''],
    ['-', ''],
    ['"${', '}"'],
    ['this.body.', ''],
    ['// ', ''],
    ['get("https://a.example/")\n', ''],
  ] as [[string, string], ...[string, string][]])
  const times = Math.floor(vary.integer(bytes, 1_000, bytes) / (open.length + close.length))
  const start = vary.pick(['get("https://a.example/").assert({ check: [', 'get("https://a.example/", ', ''])
  return `${start}${open.repeat(times)}1${close.repeat(times)}${start.includes('[') ? '] })' : start ? ')' : ''}`
}

function shape(vary: Variation): string {
  const make = vary.pick(SHAPES)
  return make(vary.integer(MIB - 1_024, MIB / 2, MIB - 1_024))
}
