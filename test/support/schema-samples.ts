import { randomUUID } from 'node:crypto'
import type { JsonSchema } from '#server/fronts/rest/document-types.ts'

/** Valid values for fields whose schema does not describe them. */
const BY_NAME: Record<string, unknown> = {
  schedule: '*/10 * * * *',
  timezone: 'Europe/Berlin',
  serviceWindow: 'FREQ=DAILY;BYHOUR=3;BYMINUTE=0/60',
  rule: 'FREQ=DAILY;BYHOUR=3;BYMINUTE=0/60',
  quietHours: 'FREQ=DAILY;BYHOUR=22;BYMINUTE=0/60/Europe/Berlin',
  config: '{}',
  script: 'get("https://example.com/").expect(status: 200)',
  since: '2026-01-01T00:00:00Z',
  until: '2100-01-01T00:00:00Z',
  version: 1,
}

/** Returns a value that the schema accepts, and in most cases the operation too. */
export function sampleOf(name: string, schema: JsonSchema): unknown {
  if (name in BY_NAME) return BY_NAME[name]
  if (name === 'key') return `key_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  if (name === 'name') return `Name ${randomUUID()}`
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return Number(schema.minimum ?? 1)
    case 'array':
      return []
    case 'object':
      return sampleBody(schema)
    case 'string':
      return schema.format === 'uuid' ? randomUUID() : 'x'
    default:
      throw new Error(`No sample of ${name}: ${JSON.stringify(schema)}`)
  }
}

/** Returns an object with all required properties. */
export function sampleBody(schema: JsonSchema): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const required = (schema.required ?? []) as string[]
  return Object.fromEntries(required.map((name) => [name, sampleOf(name, properties[name] as JsonSchema)]))
}
