import type { HostileInput } from '../hostile-input.ts'
import type { StallSetup } from '../setup.ts'
import type { Variation } from '../variation.ts'

const MIB = 1_048_576

// JSON of the maximum size, in the shapes that are most expensive to parse.

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
  // The maximum number of values.
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
    async send({ send }, variation) {
      const field = variation.pick(['email', 'password', 'code', 'other'])
      await send('/api/trpc/auth.signIn', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: `{"${field}":${shape(variation)}}`,
      })
    },
  },
  {
    name: 'body: JSON to each field of each operation, with a key',
    process: 'web',
    async send(setup, variation) {
      const [first, ...others] = await bodyFields(setup)
      if (!first) throw new Error('no operation takes a body')
      const { method, path, field } = variation.pick([first, ...others])
      await setup.api(method, path, `{"${field}":${shape(variation)}}`)
    },
  },
  {
    name: 'body: a script of 64 kB',
    process: 'web',
    async send({ api, serviceId }, variation) {
      await api('PATCH', `/services/${serviceId}/script`, { version: 1, script: script(variation, 65_000) })
    },
  },
]

type BodyField = { method: string; path: string; field: string }

/** Returns every body field in the published document, with a path to existing resources where possible. */
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

function script(variation: Variation, bytes: number): string {
  const [open, close] = variation.pick([
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
  const times = Math.floor(variation.integer(bytes, 1_000, bytes) / (open.length + close.length))
  const start = variation.pick(['get("https://a.example/").assert({ check: [', 'get("https://a.example/", ', ''])
  return `${start}${open.repeat(times)}1${close.repeat(times)}${start.includes('[') ? '] })' : start ? ')' : ''}`
}

function shape(variation: Variation): string {
  const make = variation.pick(SHAPES)
  return make(variation.integer(MIB - 1_024, MIB / 2, MIB - 1_024))
}
