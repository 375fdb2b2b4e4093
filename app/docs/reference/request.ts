/** What readers need in order to send the request of an operation. */
export type RequestShape = {
  method: string
  path: string
  parameters: RequestParameter[]
  /** Null for an operation without a body. */
  body: string | null
}

export type RequestParameter = {
  name: string
  in: 'path' | 'query' | 'header'
  isRequired: boolean
  type: string
  /** The values of an enumeration, or none. */
  values: string[]
}

export type Outcome = { status: string; durationMs: number; headers: string; body: string }

/** Enough for every list page; larger bodies would make the page slow. */
const SHOWN_CHARACTERS = 200_000

/** Returns path and query with the values of the parameters. Empty ones are left out of the query. */
export function addressOf({ path, parameters }: RequestShape, values: Record<string, string>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === 'query' && values[parameter.name])
      .map(({ name }) => [name, values[name] as string]),
  )
  return query.size > 0 ? `${filled}?${query}` : filled
}

export async function send(request: {
  method: string
  address: string
  key: string
  body: string | null
}): Promise<Outcome> {
  const startedAt = performance.now()
  const response = await fetch(request.address, {
    method: request.method,
    headers: {
      ...(request.key && { Authorization: `Bearer ${request.key}` }),
      ...(request.body !== null && { 'Content-Type': 'application/json' }),
    },
    body: request.body,
    credentials: 'omit',
  })
  const text = await response.text()
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    durationMs: Math.round(performance.now() - startedAt),
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: shortened(indented(text)),
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function shortened(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}\n… (cut)`
}
