import { POSTED_QUERIES } from '#server/schemas/account/posted-queries.ts'

/** What the server reports of an error. `message` is the text to show. */
type Report = { message?: unknown; data?: { code?: unknown; details?: unknown } }

/** The error of an operation. `report` is null if the response did not come from our server. */
export class OperationError extends Error {
  readonly report: Report | null
  constructor(report: Report | null) {
    super(typeof report?.data?.code === 'string' ? report.data.code : 'network')
    this.report = report
  }
}

type Answer = { result?: { data?: unknown }; error?: Report } | null

/** Mutations on their way, and the number of those that have ended. A mutation can replace the session's cookie. */
const mutations = new Set<Promise<unknown>>()
let ended = 0

/** Calls an operation by its path. Returns its output, or null for none. @throws OperationError */
export async function call(
  type: 'query' | 'mutation',
  path: string,
  input: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  if (type === 'mutation') return mutate(path, input)
  const query = () => send(path, input, POSTED_QUERIES.includes(path), signal)
  const endedBefore = ended
  try {
    return await query()
  } catch (error) {
    if (!(error instanceof OperationError) || error.message !== 'session_required') throw error
    // A query that was sent with the cookie before a change of the password is refused: it has to be sent again.
    await Promise.allSettled(mutations)
    if (ended === endedBefore) throw error
    return query()
  }
}

async function mutate(path: string, input: unknown): Promise<unknown> {
  const sending = send(path, input, true)
  mutations.add(sending)
  try {
    return await sending
  } finally {
    mutations.delete(sending)
    ended++
  }
}

async function send(path: string, input: unknown, isPosted: boolean, signal?: AbortSignal): Promise<unknown> {
  const url = `/api/trpc/${path}`
  const response = isPosted
    ? await request(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        ...(input === undefined ? {} : { body: JSON.stringify(input) }),
        ...(signal ? { signal } : {}),
      })
    : await request(input === undefined ? url : `${url}?input=${encodeURIComponent(JSON.stringify(input))}`, {
        ...(signal ? { signal } : {}),
      })
  const answer = (await response.json().catch(() => null)) as Answer
  if (!response.ok || !answer?.result) throw new OperationError(answer?.error ?? null)
  return answer.result.data ?? null
}

async function request(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    // React Query cancels requests of pages that are left, and knows its own error.
    if (init.signal?.aborted) throw error
    throw new OperationError(null)
  }
}
