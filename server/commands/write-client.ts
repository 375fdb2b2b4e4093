import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { buildDocument } from '../fronts/rest/document.ts'

// `npm run client [-- FOLDER]`: writes a typed client of the public API, generated from its OpenAPI document. At run time
// it is openapi-fetch, six kilobytes over the platform's fetch. `npm run client -- --cli` writes the types of the command
// line, which `npm run typecheck` and `npm test` do first.

const CLIENT = `import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

/** Shapes of the API by name, such as \`Schemas['Service']\`. */
export type Schemas = components['schemas']

export type SoundlineClient = Client<paths>

/**
 * A client of one Soundline installation. \`baseUrl\` is the address of its dashboard, such as
 * \`https://monitoring.example.com\`; the types check every path and body.
 */
export function createSoundlineClient(options: {
  baseUrl: string
  apiKey: string
  fetch?: (request: Request) => Promise<Response>
}): SoundlineClient {
  return createClient<paths>({
    baseUrl: options.baseUrl.replace(/\\/+$/, ''),
    headers: { Authorization: \`Bearer \${options.apiKey}\` },
    ...(options.fetch ? { fetch: options.fetch } : {}),
  })
}
`

/** Writes \`schema.d.ts\` and \`client.ts\` into the folder, which is created if it is missing. */
export async function writeClient(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'schema.d.ts'), await clientTypes())
  await writeFile(join(folder, 'client.ts'), CLIENT)
}

/** Where the command line has its types. */
const CLI_TYPES = new URL('../cli/client/schema.d.ts', import.meta.url)

/** Returns the types of the API in TypeScript. */
export async function clientTypes(): Promise<string> {
  const types = astToString(
    await openapiTS(withUnions(buildDocument()) as never, { alphabetize: true, defaultNonNullable: false }),
  )
  return `// Generated from the OpenAPI document; do not edit.\n\n${types}`
}

/** Returns the document with unions in place of what serves generators of other languages. */
function withUnions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnions)
  if (typeof value !== 'object' || value === null) return value
  const schema = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withUnions(child)]))
  const { type, 'x-extensible-enum': known, 'x-any-of': choices, ...rest } = schema
  if (choices) return { ...rest, anyOf: choices }
  return known ? { ...rest, anyOf: [{ type: 'string', enum: known }, { type }] } : schema
}

if (import.meta.main) {
  const target = process.argv[2] ?? 'soundline-client'
  if (target === '--cli') {
    await writeFile(CLI_TYPES, await clientTypes())
  } else if (target.startsWith('-')) {
    console.log('Usage: npm run client -- [FOLDER]')
  } else {
    const folder = resolve(target)
    await writeClient(folder)
    console.log(`Wrote the client to ${folder}; it needs the package openapi-fetch.`)
  }
}
