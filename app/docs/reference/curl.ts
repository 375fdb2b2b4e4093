import type { RequestShape } from './request.ts'

/** Words of the shell, quoted where they must be. */
export type CurlTarget = { base: string; authorization: string }

/** For a reader's own shell. */
export const PLACEHOLDERS: CurlTarget = {
  base: '$SOUNDLINE_URL',
  authorization: '"Authorization: Bearer $SOUNDLINE_KEY"',
}

/** Returns the header with a key. */
export function authorizationWith(key: string): string {
  return key === '' ? PLACEHOLDERS.authorization : quoted(`Authorization: Bearer ${key}`)
}

/** Returns a curl command. `url` and `authorization` are words of the shell, quoted where they must be. */
export function curlText(request: { method: string; url: string; authorization: string; body: string | null }): string {
  const { method, url, authorization, body } = request
  return [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${url}`,
    `-H ${authorization}`,
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ')
}

/** Returns the call of an operation with placeholders for its parameters, such as `<id>`. */
export function exampleCall({ method, path, parameters, body }: RequestShape, target = PLACEHOLDERS): string {
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.isRequired)
    .map(({ name }) => `${name}=<${name}>`)
  const address = [path.replace(/\{(\w+)\}/g, '<$1>'), ...(query.length > 0 ? [query.join('&')] : [])].join('?')
  return curlText({ method, url: `"${target.base}${address}"`, authorization: target.authorization, body })
}

/** Returns the text as one word of the shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
