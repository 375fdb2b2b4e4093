import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

const ajv = new Ajv({ strict: false, allErrors: false })
// TypeScript and Node disagree about the default export of this CommonJS package.
;(addFormats as unknown as (ajv: Ajv) => void)(ajv)

const checkAst = ajv.compile(withPaths(read('ast')))
const checkResult = ajv.compile(read('result'))
const checkVector = ajv.compile(relaxed(read('conformance-vector')))

function read(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(`../schemas/${name}.json`, import.meta.url), 'utf8'))
}

/**
 * Fixes the schema of a path segment. It allows no field at all, because `additionalProperties: false` ignores the
 * fields of its alternatives.
 */
function withPaths(schema: Record<string, unknown>): Record<string, unknown> {
  const { definitions } = schema as { definitions: { VarPathSeg: { additionalProperties?: boolean } } }
  delete definitions.VarPathSeg.additionalProperties
  return schema
}

/**
 * Relaxes the schema of vectors, which is out of date: vectors have further fields (`cli_args`, `no_default_ignores`,
 * `optional`), may lack `http_mock`, and have mixed-case ids and variables that are objects.
 */
function relaxed(schema: Record<string, unknown>): Record<string, unknown> {
  const loose = structuredClone(schema) as {
    additionalProperties?: boolean
    properties: { id: object }
    definitions: Record<
      string,
      { additionalProperties?: unknown; required?: string[]; properties?: Record<string, object> }
    >
  }
  delete loose.additionalProperties
  loose.properties.id = { type: 'string' }
  for (const [name, definition] of Object.entries(loose.definitions)) {
    if (/Input$|Expected$/.test(name)) delete definition.additionalProperties
    if (definition.properties?.variables && name !== 'ValidateInput')
      definition.properties.variables = { type: 'object' }
    if (definition.required) definition.required = definition.required.filter((field) => field !== 'http_mock')
  }
  return loose as Record<string, unknown>
}

export function astProblem(ast: unknown): string | null {
  return problem(checkAst, ast, 'the syntax tree does not match its schema')
}

/** Ignores the top-level `error` of a rejected script: the vectors require it, but the schema does not know it. */
export function resultProblem(result: Record<string, unknown>): string | null {
  const { error: _, ...rest } = result
  return problem(checkResult, rest, 'the result does not match its schema')
}

export function vectorProblem(vector: unknown): string | null {
  return problem(checkVector, vector, 'the vector does not match its schema')
}

function problem(check: ValidateFunction, value: unknown, what: string): string | null {
  if (check(JSON.parse(JSON.stringify(value)))) return null
  const [error] = check.errors ?? []
  return `${what}: ${error?.instancePath || '.'} ${error?.message ?? ''}`
}
