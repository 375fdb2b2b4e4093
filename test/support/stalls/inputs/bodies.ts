import type { HostileInput } from '../inputs.ts'
import type { Vary } from '../vary.ts'

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
    name: 'body: 1 MB of JSON to an operation, with a key',
    process: 'web',
    async send({ api, serviceId }, vary) {
      const patch: [string, string, string] = ['PATCH', `/services/${serviceId}`, 'agents']
      const script: [string, string, string] = ['PATCH', `/services/${serviceId}/script`, 'script']
      const [method, path, field] = vary.pick([patch, ['POST', '/silences', 'config'], script])
      await api(method, path, `{"${field}":${shape(vary)}}`)
    },
  },
]

function shape(vary: Vary): string {
  const make = vary.pick(SHAPES)
  return make(vary.whole(MIB - 1_024, MIB / 2, MIB - 1_024))
}
