import type { Json } from '../script-import/request.ts'
import { isSecretName } from '../script-import/to-script.ts'
import { type Pair, type Step, variablesOf, withoutVariables } from './steps.ts'
import { exactJson } from './write-steps.ts'

/** A value of a request that is likely a secret and stands in the script. `key` names a variable for it. */
type FoundSecret = { what: string; key: string; value: string }

/** Returns the step with each secret replaced by what `replace` returns for it. Variables are no secrets. */
function mapSecrets(step: Step, replace: (found: FoundSecret) => string): Step {
  const swap = (what: string, name: string, value: string) =>
    value === '' || variablesOf(value).length > 0 ? value : replace({ what, key: keyOf(name), value })
  return {
    ...step,
    url: mapQuery(step.url, (name, value) => (isSecretName(name) ? swap(`the parameter ${name}`, name, value) : value)),
    auth: mapAuth(step.auth, swap),
    headers: step.headers.map((row) => mapHeader(row, swap)),
    body: mapBody(step.body, swap),
  }
}

export function secretsOf(step: Step): FoundSecret[] {
  const found: FoundSecret[] = []
  mapSecrets(step, (secret) => {
    found.push(secret)
    return secret.value
  })
  return found
}

/**
 * Replaces the secrets of the steps by variables whose keys are none of `taken`: one for each value. Returns the steps
 * and the variables.
 */
export function secretsToVariables(
  steps: readonly Step[],
  scope: 'p' | 's',
  taken: readonly string[],
): { steps: Step[]; variables: { key: string; value: string }[] } {
  const variables: { key: string; value: string }[] = []
  const changed = steps.map((step) =>
    mapSecrets(step, ({ key, value }) => {
      let variable = variables.find((one) => one.value === value)
      if (!variable) {
        variable = { key: freeKey(key, [...taken, ...variables.map((one) => one.key)]), value }
        variables.push(variable)
      }
      return `$${scope}.${variable.key}`
    }),
  )
  return { steps: changed, variables }
}

/** The steps as they may be kept outside of the page: without secrets, and without texts in which one may be. */
export function withoutSecrets(steps: readonly Step[]): Step[] {
  return steps.map((step) => {
    const emptied = mapSecrets(step, () => '')
    const { body } = emptied
    const isUnread = body.kind === 'text' || (body.kind === 'json' && exactJson(body.text) === null)
    return isUnread ? { ...emptied, body: { ...body, text: withoutSecretTexts(body.text) } } : emptied
  })
}

/** Returns a text that cannot be read into fields, or nothing when one of its words names a secret. */
export function withoutSecretTexts(text: string): string {
  const words = withoutVariables(text).match(/[\w-]+/g) ?? []
  return words.some(isSecretName) ? '' : text
}

function freeKey(wanted: string, taken: readonly string[]): string {
  let key = wanted
  for (let n = 2; taken.includes(key); n++) key = `${wanted}_${n}`
  return key
}

/** Returns a key of a variable: `X-Api-Key` becomes `x_api_key`. */
function keyOf(name: string): string {
  const key = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60)
  return /^[a-z_]/.test(key) ? key : 'secret'
}

type Swap = (what: string, name: string, value: string) => string

function mapAuth(auth: Step['auth'], swap: Swap): Step['auth'] {
  switch (auth.kind) {
    case 'none':
      return auth
    case 'bearer':
      return { ...auth, token: swap('the token', 'token', auth.token.trim()) }
    case 'basic':
      return { ...auth, credentials: swap('user and password', 'basic_auth', auth.credentials) }
    case 'apiKey': {
      const value = auth.place === 'query' ? encodeURIComponent(auth.value) : auth.value
      const next = swap('the API key', auth.name || 'api_key', variablesOf(auth.value).length > 0 ? auth.value : value)
      return next === value ? auth : { ...auth, value: next }
    }
  }
}

function mapHeader({ name, value }: Pair, swap: Swap): Pair {
  if (!isSecretName(name)) return { name, value }
  const [scheme = ''] = /^(Bearer|Basic|Token|Digest|ApiKey) +(?=\S)/i.exec(value) ?? []
  return { name, value: `${scheme}${swap(`the header ${name}`, name, value.slice(scheme.length))}` }
}

/** Changes the values of the parameters of a URL. A variable in a URL has braces, because characters may follow. */
function mapQuery(url: string, change: (name: string, value: string) => string): string {
  const [, before = '', query, hash = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(url) ?? []
  return query === undefined ? url : `${before}?${mapPairs(query, change)}${hash}`
}

function mapPairs(text: string, change: (name: string, value: string) => string): string {
  const pairs = text.split('&').map((pair) => {
    const [, name = '', value] = /^([^=]*)=(.*)$/s.exec(pair) ?? []
    if (value === undefined) return pair
    const next = change(name, value)
    return `${name}=${next === value ? value : next.replace(/^\$([ps]\.\w+)$/, (_, variable: string) => `\${$${variable}}`)}`
  })
  return pairs.join('&')
}

function mapBody(body: Step['body'], swap: Swap): Step['body'] {
  if (body.kind === 'form') {
    const fields = body.fields.map(({ name, value }) =>
      isSecretName(name) ? { name, value: swap(`the field ${name}`, name, value) } : { name, value },
    )
    return { ...body, fields }
  }
  if (body.kind === 'text' && body.type.startsWith('application/x-www-form-urlencoded')) {
    const text = mapPairs(body.text, (name, value) =>
      isSecretName(name) ? swap(`the field ${name}`, name, value) : value,
    )
    return { ...body, text }
  }
  const value = body.kind === 'json' ? exactJson(body.text) : null
  if (value === null) return body
  let hasChanged = false
  const next = mapJson(value, (name, text) => {
    const changed = swap(`the field ${name}`, name, text)
    hasChanged ||= changed !== text
    return changed
  })
  return hasChanged ? { kind: 'json', text: JSON.stringify(next, null, 2) } : body
}

function mapJson(value: Json, change: (name: string, text: string) => string): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => mapJson(item, change))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' && isSecretName(name) ? change(name, member) : mapJson(member, change),
    ]),
  )
}
