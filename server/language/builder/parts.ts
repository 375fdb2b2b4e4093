import { isSecretName } from '../script-import/to-script.ts'
import { type Auth, mapBetweenVariables, type Pair, type Step, variablesOf } from './steps.ts'

// How authentication stands in a request: as a header, or as the last parameter of the URL.

const ANY_AUTHORIZATION = /^(authorization|proxy-authorization|cookie)$/i

/** The name of a header or parameter that the builder shows as an API key. */
function isKeyName(name: string): boolean {
  return isSecretName(name) && !ANY_AUTHORIZATION.test(name)
}

/** In a script `$` names a variable. In a URL, `%24` is the same character. */
export function writtenUrl({ url, auth }: Pick<Step, 'url' | 'auth'>): string {
  const written = mapBetweenVariables(url.trim(), (part) => part.replaceAll('$', '%24'))
  if (auth.kind !== 'apiKey' || auth.place !== 'query' || auth.name.trim() === '' || auth.value === '') return written
  const [, before = '', hash = ''] = /^([^#]*)(#.*)?$/s.exec(written) ?? []
  const parameter = `${encodeURIComponent(auth.name.trim())}=${mapBetweenVariables(auth.value, encodeURIComponent)}`
  return `${before}${before.includes('?') ? '&' : '?'}${parameter}${hash}`
}

/** Takes an API key out of a URL, as `writtenUrl` writes it. */
export function splitUrl(url: string): { url: string; auth: Auth } {
  const [, before = '', name = '', value = '', hash = ''] =
    /^([^?#]*\?[^#]*?)(?:(?<=\?)|&)([\w.-]+)=([^&#]+)(#.*)?$/s.exec(url) ?? []
  const auth: Auth = { kind: 'apiKey', place: 'query', name, value: decoded(value) }
  const rest = `${before.endsWith('?') ? before.slice(0, -1) : before}${hash}`
  const isKept = name !== '' && isKeyName(name) && writtenUrl({ url: rest, auth }) === url
  return isKept ? { url: rest, auth } : { url, auth: { kind: 'none' } }
}

function decoded(text: string): string {
  try {
    return variablesOf(text).length > 0 ? text : decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The header of an authentication; null for none, or for a parameter of the URL. */
export function headerOfAuth(auth: Auth): Pair | null {
  switch (auth.kind) {
    case 'none':
      return null
    case 'bearer':
      return auth.token.trim() === '' ? null : { name: 'Authorization', value: `Bearer ${auth.token.trim()}` }
    case 'basic':
      return auth.credentials === '' ? null : { name: 'Authorization', value: `Basic ${auth.credentials}` }
    case 'apiKey':
      if (auth.place === 'query' || auth.name.trim() === '' || auth.value === '') return null
      return { name: auth.name.trim(), value: auth.value }
  }
}

/** Takes the authentication out of the headers of a script. */
export function splitHeaders(headers: Pair[]): { headers: Pair[]; auth: Auth } {
  for (const header of headers) {
    const auth = authOfHeader(header)
    if (auth) return { headers: headers.filter((other) => other !== header), auth }
  }
  return { headers, auth: { kind: 'none' } }
}

function authOfHeader({ name, value }: Pair): Auth | null {
  const [, scheme, rest = ''] = (name === 'Authorization' && /^(Bearer|Basic) (\S.*)$/s.exec(value)) || []
  if (scheme === 'Bearer' && rest === rest.trim()) return { kind: 'bearer', token: rest }
  if (scheme === 'Basic') return { kind: 'basic', credentials: rest }
  return isKeyName(name) && value !== '' ? { kind: 'apiKey', place: 'header', name, value } : null
}

/** The base64 of `user:password`, as the header has it. */
export function basicCredentials(user: string, password: string): string {
  if (user === '' && password === '') return ''
  const bytes = new TextEncoder().encode(`${user}:${password}`)
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Returns the user and the password; null when a variable holds them. */
export function readBasicCredentials(credentials: string): { user: string; password: string } | null {
  try {
    const bytes = Uint8Array.from(atob(credentials), (character) => character.charCodeAt(0))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const at = text.indexOf(':')
    return at < 0 ? { user: text, password: '' } : { user: text.slice(0, at), password: text.slice(at + 1) }
  } catch {
    return null
  }
}
