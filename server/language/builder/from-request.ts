import { parseCurl } from '../script-import/curl.ts'
import {
  ImportError,
  type ImportedBody,
  type ImportedRequest,
  type Json,
  UNKNOWN_BASIC,
  withoutUserinfo,
} from '../script-import/request.ts'
import { splitNothing } from '../script-import/templates.ts'
import { splitHeaders } from './parts.ts'
import { type Assertion, type Body, NEW_STEP, type Step, withoutPrompt } from './steps.ts'

/** What a pasted command has and a step does not: the rest is filled in. */
type Pasted = { step: Step; notes: string[] } | { problem: string }

/** Reads a curl command into a step. Its values stay as they are; `secretsOf` finds those that are secret. */
export function stepOfCurl(text: string): Pasted {
  try {
    const request = withoutUserinfo(parseCurl(withoutPrompt(text)))
    // The status is among the expectations of the step.
    const dropped = (request.notes ?? []).filter(({ what }) => what !== 'the status')
    const notes = dropped.map(({ what, why, todo }) => `${what}: ${why} ${todo}`)
    const step = stepOfRequest(request)
    if (!request.headers.some(([, value]) => value === UNKNOWN_BASIC)) return { step, notes }
    notes.push('user and password: they are variables of the shell. Enter them under Authentication.')
    return { step: { ...step, auth: { kind: 'basic', credentials: '' } }, notes }
  } catch (error) {
    return {
      problem: error instanceof ImportError ? error.message : 'The command cannot be read. Check that it is complete.',
    }
  }
}

function stepOfRequest(request: ImportedRequest): Step {
  const text = writer(request)
  const rows = request.headers.map(([name, value]) => ({ name, value: text(value) }))
  const body = bodyOfRequest(request.body, text)
  const type = request.body?.type ?? ''
  const isWritten = rows.some(({ name }) => name.toLowerCase() === 'content-type')
  // A script sends the type of JSON and forms itself.
  const kept = rows.filter(
    ({ name, value }) =>
      name.toLowerCase() !== 'content-type' || !(body.kind === 'text' || value === OWN_TYPES[body.kind]),
  )
  const own = rows.find(({ name }) => name.toLowerCase() === 'content-type')?.value
  const typed: Body = body.kind === 'text' ? { ...body, type: own ?? type } : body
  const isOther = !isWritten && typed.kind !== 'text' && type !== '' && type !== OWN_TYPES[typed.kind]
  const { headers, auth } = splitHeaders(isOther ? [...kept, { name: 'Content-Type', value: type }] : kept)
  return {
    ...NEW_STEP,
    method: request.method,
    url: text(request.url),
    headers,
    auth,
    body: typed,
    followsRedirects: request.followsRedirects !== false,
    acceptsInvalidCertificates: request.acceptsInvalidCertificates === true,
    timeoutMs: request.timeoutMs ?? null,
    assertions: statusOf(request),
  }
}

const OWN_TYPES: Record<Body['kind'], string> = {
  none: '',
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: '',
}

/** Variables of the shell become variables of the service. */
function writer({ split = splitNothing }: ImportedRequest): (text: string) => string {
  return (text) =>
    split(text)
      .map((part) => (typeof part === 'string' ? part : `\${$${part.variable}}`))
      .join('')
}

function bodyOfRequest(body: ImportedBody | null, text: (text: string) => string): Body {
  switch (body?.kind) {
    case undefined:
      return { kind: 'none' }
    case 'json':
      return { kind: 'json', text: JSON.stringify(mapTexts(body.value, text), null, 2) }
    case 'form':
      return { kind: 'form', fields: body.fields.map(([name, value]) => ({ name, value: text(value) })) }
    case 'text':
      return { kind: 'text', text: text(body.text), type: '' }
  }
}

function mapTexts(value: Json, text: (text: string) => string): Json {
  if (typeof value === 'string') return text(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, text))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, text)]))
}

function statusOf({ status }: ImportedRequest): Assertion[] {
  if (status === undefined) return []
  return [{ kind: 'scope', level: 'expect', scope: 'status', value: String(status) }]
}

/** Moves a user and a password of the URL to the authentication, because probes send none in a URL. */
export function withoutUserinfoOf(step: Step): Step {
  const { method, url } = step
  const moved = withoutUserinfo({ method, url, headers: [], body: null })
  if (moved.url === url) return step
  const { auth } = stepOfRequest(moved)
  return { ...step, url: moved.url, auth: auth.kind === 'none' ? step.auth : auth }
}
