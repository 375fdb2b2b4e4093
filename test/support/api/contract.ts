import { isDeepStrictEqual } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { buildDocument } from '#server/fronts/rest/document.ts'
import type { ApiDocument, DocumentResponse, Operation } from '#server/fronts/rest/document-types.ts'
import { BASE_PATH, createRouteTable } from '#server/fronts/rest/route.ts'
import { appRouter } from '#server/router.ts'
import { ERRORS, type ErrorCode, PUBLIC_ERROR_CODES } from '#server/schemas/errors/error-table.ts'

/**
 * The response to a call: `body` is parsed JSON, or null without a body. The `message` and `doc` of an error, which every
 * call checks, are not in `body` but in `help`.
 */
export type Answer<T = unknown> = { status: number; headers: Headers; body: T; help: Help | null }
export type Help = { message: unknown; doc: unknown }

/** Returns the response with what helps people apart from what programs act on. */
export function toAnswer(status: number, headers: Headers, body: unknown): Answer {
  if (status < 400 || typeof body !== 'object' || body === null) return { status, headers, body, help: null }
  const { message, doc, ...rest } = body as Record<string, unknown>
  return { status, headers, body: rest, help: { message, doc } }
}

/** Checks that an error says in one sentence what to do, and links to its code in the guide. @throws Error */
export function checkHelp(where: string, { body, help }: Answer): void {
  const { error } = body as { error: string }
  const { message, doc } = help ?? {}
  if (typeof message !== 'string' || !/^[A-Z`][^\n]{10,400}\.$/.test(message)) {
    throw new Error(`${where}: its message is ${JSON.stringify(message)}`)
  }
  if (/: undefined|\[object |[^.]\.\.$/.test(message)) throw new Error(`${where}: its message is not whole: ${message}`)
  if (
    typeof doc !== 'string' ||
    !/^https?:\/\/[^/]+.*\/docs\/guide#code-[a-z_]+$/.test(doc) ||
    !doc.endsWith(`-${error}`)
  ) {
    throw new Error(`${where}: its doc is ${JSON.stringify(doc)}`)
  }
  if (!PUBLIC_ERROR_CODES.some((code) => code === error)) throw new Error(`${where}: ${error} is not a code of the API`)
}

export type FoundOperation = { template: string; method: string; operation: Operation }

// Written out, not imported from document-responses.ts: a code that is lost there must fail here.
/** The codes of status 401 with which every operation can refuse a key. */
export const KEY_ERRORS: ErrorCode[] = [
  'missing_auth_header',
  'invalid_token',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'api_key_owner_inactive',
]
const RATE_HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'www-authenticate',
  'idempotency-replayed',
]
/** The codes of a request that matches no operation of the document, by status. */
const WITHOUT_OPERATION: Record<number, string[]> = {
  400: ['invalid_path'],
  401: KEY_ERRORS,
  403: ['api_key_read_only', 'totp_enrollment_required'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  429: ['rate_limited', 'too_many_unknown_keys'],
}

let current: ReturnType<typeof build> | null = null

/** Returns the served document and the checks compiled from it, built once per test file. */
export function contract(): ReturnType<typeof build> {
  current ??= build()
  return current
}

function build() {
  const document = buildDocument()
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  formats.default(ajv)
  ajv.addSchema(document, 'document')

  const routes = createRouteTable(appRouter)

  /** The facade does not parse outputs, so a field that the schema does not name would reach the client. */
  function checkOutput(where: string, method: string, path: string, { body }: Answer): void {
    const match = routes.match(method, path.slice(BASE_PATH.length))
    if (!match || !('route' in match)) throw new Error(`${where}: no operation`)
    if (!isDeepStrictEqual(match.route.output.parse(body), body)) {
      const fields = untoldFields(match.route.output.parse(body), body).join(', ')
      throw new Error(`${where}: the schema of ${match.route.operationId} does not tell of ${fields}`)
    }
  }

  const templates = Map.groupBy(
    Object.keys(document.paths)
      .map((template) => ({ template, parts: template.split('/') }))
      .sort((a, b) => shape(a.parts).localeCompare(shape(b.parts))),
    ({ parts }) => parts.length,
  )

  /** Returns the operation of a path and method, or null. HEAD is its GET. */
  function find(method: string, path: string): FoundOperation | null {
    const parts = path.split('/')
    const template = templates
      .get(parts.length)
      ?.find((t) => t.parts.every((part, index) => part.startsWith('{') || part === parts[index]))?.template
    const wanted = method === 'HEAD' ? 'get' : method.toLowerCase()
    const operation = template === undefined ? undefined : document.paths[template]?.[wanted]
    return template && operation ? { template, method: wanted, operation } : null
  }

  /** @throws Error when the document does not declare the response */
  function check(method: string, path: string, answer: Answer): void {
    const found = find(method, path)
    const where = `${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 500)}`
    if (answer.status >= 500 && answer.status !== 503) throw new Error(`${where}: a failure of the server`)
    checkCommonHeaders(where, answer)
    if (answer.status >= 400 && INSIDE.test(JSON.stringify([answer.body, answer.help]))) {
      throw new Error(`${where}: shows the inside`)
    }
    if (answer.status >= 400 && method !== 'HEAD') checkHelp(where, answer)
    if (!found) {
      if (method === 'OPTIONS' && answer.status === 204) return
      const code = (answer.body as { error?: string } | null)?.error
      if (method === 'HEAD') return
      if (!code || !WITHOUT_OPERATION[answer.status]?.includes(code)) throw new Error(`${where}: not expected there`)
      return
    }
    const { template, operation } = found
    const declared = operation.responses[String(answer.status)]
    if (!declared) throw new Error(`${where}: the document has no such status for ${operation.operationId}`)
    const response = '$ref' in declared ? (at(document, declared.$ref) as DocumentResponse) : declared
    for (const name of RATE_HEADERS) {
      const isDeclared = Object.keys(response.headers ?? {}).some((header) => header.toLowerCase() === name)
      if (answer.headers.has(name) && !isDeclared) throw new Error(`${where}: ${name} is not declared`)
    }
    if (method === 'HEAD') return
    const schema = response.content?.['application/json'].schema
    if (!schema) {
      if (answer.body !== null) throw new Error(`${where}: the document has no body for it`)
      return
    }
    const pointer =
      '$ref' in declared
        ? `${declared.$ref}/content/application~1json/schema`
        : `#/paths/${pointerToken(template)}/${found.method}/responses/${answer.status}/content/application~1json/schema`
    const validate = ajv.getSchema(
      `document${pointer.split('/').map(encodeURIComponent).join('/').replace('%23', '#')}`,
    )
    if (!validate) throw new Error(`${where}: no schema at ${pointer}`)
    if (!validate(answer.help ? { ...(answer.body as object), ...answer.help } : answer.body))
      throw new Error(`${where}: ${ajv.errorsText(validate.errors)}`)
    if (answer.status < 400) checkOutput(where, method, path, answer)
    else {
      const { error } = answer.body as { error: string }
      const codes: string[] = operation['x-error-codes'][String(answer.status)] ?? []
      if (!codes.includes(error))
        throw new Error(`${where}: ${operation.operationId} declares only ${codes.join(', ')}`)
      const { details = {} } = answer.body as { details?: object }
      const told: string[] = ERRORS[error as ErrorCode].details ?? []
      const untold = Object.keys(details).filter((name) => !told.includes(name))
      if (untold.length > 0) throw new Error(`${where}: the document does not tell of details.${untold.join(', ')}`)
    }
  }

  return { document, find, check, ajv }
}

/** Internals that an error response must not show: stacks, paths, statements. */
const INSIDE =
  /node_modules|\.(ts|mjs|js):\d+|\bat \S+ \(|Failed query|\b(select|insert into|update|delete from) "|postgres/i

/** Checks the headers of every response, and those of certain statuses. */
function checkCommonHeaders(where: string, { status, headers, body }: Answer): void {
  if (!headers.get('x-request-id')) throw new Error(`${where}: no X-Request-Id`)
  if (headers.get('cache-control') !== 'no-store') throw new Error(`${where}: Cache-Control is not no-store`)
  if (headers.get('x-content-type-options') !== 'nosniff') throw new Error(`${where}: no nosniff`)
  if (status === 204) {
    if (headers.has('content-type') || body !== null) throw new Error(`${where}: 204 with content`)
  } else if (headers.get('content-type') !== 'application/json; charset=utf-8') {
    throw new Error(`${where}: Content-Type is ${headers.get('content-type')}`)
  }
  const { error } = (body ?? {}) as { error?: string }
  const wantsRetry = status === 429 || status === 503 || error === 'idempotency_in_progress'
  if (wantsRetry !== headers.has('retry-after')) throw new Error(`${where}: Retry-After is ${!wantsRetry}ly there`)
  if (wantsRetry && !/^[1-9]\d*$/.test(headers.get('retry-after') ?? '')) throw new Error(`${where}: no whole seconds`)
  if (status === 405 && !headers.get('allow')) throw new Error(`${where}: no Allow`)
  if (status === 401 && !/^Bearer realm="soundline"/.test(headers.get('www-authenticate') ?? '')) {
    throw new Error(`${where}: no WWW-Authenticate`)
  }
  const isLimited = headers.has('x-ratelimit-limit')
  if (isLimited !== /^[1-9]\d*$/.test(headers.get('x-ratelimit-reset') ?? '')) throw new Error(`${where}: no reset`)
}

/** Returns the paths of the fields of a body that its parsed form does not have. */
function untoldFields(parsed: unknown, body: unknown, path = ''): string[] {
  if (typeof body !== 'object' || body === null || typeof parsed !== 'object' || parsed === null) {
    return Object.is(parsed, body) ? [] : [path]
  }
  return Object.entries(body).flatMap(([name, value]) =>
    name in parsed ? untoldFields(parsed[name as never], value, `${path}/${name}`) : [`${path}/${name}`],
  )
}

function at(document: ApiDocument, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document)
}

function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Returns a key that sorts fixed segments before parameters. */
function shape(parts: string[]): string {
  return parts.map((part) => (part.startsWith('{') ? '1' : '0')).join('')
}

/** Returns the full path of a path relative to the version. A full path stays unchanged. */
export function wholePath(path: string): string {
  return path.startsWith('/api/') ? path : `${BASE_PATH}${path}`
}
