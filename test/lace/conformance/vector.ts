import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bodyFiles } from '#server/language/lace/body-files.ts'
import type { LaceError } from '#server/language/lace/errors.ts'
import { type RunOptions, refusedResult, runScript } from '#server/language/lace/executor.ts'
import { parseScript } from '#server/language/lace/parser.ts'
import type { ProbeResult } from '#server/language/lace/result.ts'
import { validateScript } from '#server/language/lace/validator.ts'
import type { Json } from '#server/language/lace/values/json.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { type CertificateScenario, makeCertificate } from '#test/support/certificates.ts'
import { parseConfig, UnsetVariable } from '#worker/cli/config.ts'
import { createTransport } from '#worker/http/client.ts'
import { differences } from './diff.ts'
import { type MockResponse, startMockServer } from './mock-server.ts'
import { astProblem, resultProblem } from './schemas.ts'

type ExpectedError = Partial<Pick<LaceError, 'code' | 'callIndex' | 'chainMethod' | 'field' | 'line' | 'column'>>

export type Vector = { id: string; requires?: string[] } & (
  | { type: 'extension' }
  | {
      type: 'parse'
      input: { source: string }
      expected: { ast?: unknown; errors?: ExpectedError[]; ignore?: string[] }
    }
  | {
      type: 'validate'
      input: { source: string; variables?: string[]; context?: { maxRedirects?: number; maxTimeoutMs?: number } }
      expected: { errors?: ExpectedError[]; warnings?: ExpectedError[] }
    }
  | {
      type: 'execute'
      input: {
        source: string
        variables?: Record<string, Json>
        prev_results?: Json
        http_mock?: MockResponse[]
        tls_scenario?: CertificateScenario
        cli_args?: string[]
        /** The content of a `lace.config`, in TOML. */
        lace_config?: string
        /** Environment variables. */
        env?: Record<string, string>
      }
      expected: { result: Record<string, unknown>; ignore?: string[]; no_default_ignores?: boolean }
    }
)

/** Fields that differ from run to run or between implementations. */
const DEFAULT_IGNORES = [
  'startedAt',
  'endedAt',
  'elapsedMs',
  'calls[*].startedAt',
  'calls[*].endedAt',
  'calls[*].response.bodyPath',
  'calls[*].response.dns',
  'calls[*].response.tls',
]

/** Headers that an HTTP stack adds. Vectors name them only when they matter. */
const STACK_HEADERS = [
  ...['user-agent', 'host', 'accept', 'accept-encoding', 'content-type'],
  ...['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'],
]

/** Runs a vector and returns the problems; empty when it passes. */
export async function checkVector(vector: Vector): Promise<string[]> {
  switch (vector.type) {
    case 'parse':
      return checkParse(vector)
    case 'validate':
      return checkValidate(vector)
    case 'execute':
      return checkExecute(vector)
    case 'extension':
      return ['extensions are not implemented']
  }
}

function checkParse({ input, expected }: Extract<Vector, { type: 'parse' }>): string[] {
  const { ast, errors } = parseScript(input.source)
  if (expected.errors) return errorDifferences('errors', expected.errors, errors)
  if (ast === null) return [`not parsed: ${errors[0]?.detail}`]
  const problem = astProblem(ast)
  const plain = JSON.parse(JSON.stringify(ast))
  const found = differences(expected.ast, plain, {
    ignore: expected.ignore ?? [],
    ignoreByDefault: [],
    optionalHeaders: [],
  })
  return problem ? [problem, ...found] : found
}

function checkValidate({ input, expected }: Extract<Vector, { type: 'validate' }>): string[] {
  const { errors, warnings } = validateScript(input.source, { variables: input.variables ?? [], ...input.context })
  return [
    ...errorDifferences('errors', expected.errors ?? [], errors),
    ...errorDifferences('warnings', expected.warnings ?? [], warnings),
  ]
}

/** Compares both as multisets. An expected error has only the fields that matter. */
function errorDifferences(what: string, expected: ExpectedError[], actual: LaceError[]): string[] {
  const left = [...actual]
  const found: string[] = []
  for (const wanted of expected) {
    const at = left.findIndex((error) => {
      return Object.entries(wanted).every(([key, value]) => error[key as keyof ExpectedError] === value)
    })
    if (at >= 0) left.splice(at, 1)
    else found.push(`${what}: ${JSON.stringify(wanted)} is missing`)
  }
  return [...found, ...left.map((error) => `${what}: ${error.code} is not expected: ${error.detail}`)]
}

async function checkExecute({ input, expected }: Extract<Vector, { type: 'execute' }>): Promise<string[]> {
  const secure = input.source.includes('https://') || JSON.stringify(input.variables ?? {}).includes('https://')
  const certificate = secure ? await makeCertificate(input.tls_scenario ?? 'valid') : null
  const server = await startMockServer(input.http_mock ?? [], certificate)
  const withPort = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('{port}', String(server.port)))
  const bodies = await mkdtemp(join(tmpdir(), 'lace-conformance-'))
  try {
    const { variables, env, unknown } = readArguments(input.cli_args ?? [])
    if (unknown.length > 0) return [`unknown cli_args: ${unknown.join(' ')}`]
    const transport = createTransport({
      allowedNetworks: parseNetworks(['127.0.0.0/8', '::1/128']),
      ca: certificate ? [certificate.ca] : [],
    })
    const source = withPort(input.source)
    const result = await withConfig(withPort(input.lace_config ?? ''), env, input.env ?? {}, (settings) =>
      runScript({
        source,
        variables: { ...withPort(input.variables ?? {}), ...variables },
        prev: withPort(input.prev_results ?? null),
        transport,
        // Vectors assume that bodies are saved.
        bodies: bodyFiles(bodies),
        ...settings,
      }),
    )
    const options = {
      ignore: expected.ignore ?? [],
      ignoreByDefault: expected.no_default_ignores ? [] : DEFAULT_IGNORES,
      optionalHeaders: expected.no_default_ignores ? [] : STACK_HEADERS,
    }
    const found = differences(withPort(expected.result), JSON.parse(JSON.stringify(result)), options)
    const { ast } = validateScript(source, { variables: null, hasPrev: true })
    const problems = [resultProblem(result), result.error === undefined ? astProblem(ast) : null]
    return [...problems.filter((problem) => problem !== null), ...found]
  } finally {
    await server.close()
    await rm(bodies, { recursive: true, force: true })
  }
}

/** Runs with the settings of a `lace.config`. An unset variable ends the run, as on the command line. */
async function withConfig(
  text: string,
  env: string | undefined,
  environment: Record<string, string>,
  run: (settings: Pick<RunOptions, 'limits' | 'userAgent'>) => Promise<ProbeResult>,
): Promise<ProbeResult> {
  try {
    const {
      maxRedirects,
      maxTimeoutMs,
      user_agent: userAgent,
    } = parseConfig('lace.config', text, env, environment).executor
    return await run({ limits: { maxRedirects, maxTimeoutMs }, ...(userAgent === undefined ? {} : { userAgent }) })
  } catch (error) {
    if (error instanceof UnsetVariable) return refusedResult(error.message)
    throw error
  }
}

/** Parses the command line arguments of a vector. Paths are ignored, because the test uses its own directory. */
function readArguments(args: string[]): {
  variables: Record<string, Json>
  env: string | undefined
  unknown: string[]
} {
  let env: string | undefined
  const variables: Record<string, Json> = {}
  const unknown: string[] = []
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--bodies-dir' || arg === '--save-to') rest.shift()
    else if (arg === '--var') {
      const [name, ...value] = (rest.shift() ?? '').split('=')
      variables[name!] = value.join('=')
    } else if (arg === '--env') env = rest.shift()
    else if (arg !== '--save-body') unknown.push(arg)
  }
  return { variables, env, unknown }
}
