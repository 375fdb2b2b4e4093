/** Returns a curl command. `url` and `authorization` are words of the shell, quoted where they must be. */
export function curlText(request: { method: string; url: string; authorization: string; body: string | null }): string {
  const { method, url, authorization, body } = request
  return [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${url}`,
    `-H ${authorization}`,
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ')
}

/** Returns the text as one word of the shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
