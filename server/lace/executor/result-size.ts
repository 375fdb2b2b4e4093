import { warn } from '../evaluation/context.ts'
import type { CallRecord } from '../result.ts'
import { type Json, type JsonObject, jsonStart, measure } from '../values/json.ts'

/** Characters of JSON that all calls of a run may add to its result by what they sent and received. */
const CALLS_LIMIT = 512 * 1024
/** The same for the variables of the run, and for those that are written back. */
const VARIABLES_LIMIT = 128 * 1024
/** Of a variable that does not fit, so much is shown. */
const LONGEST_START = 8 * 1024

/** What is so short is always kept. */
const SMALL = 200

const LEFT_OUT = 'is left out of the result, which would be too large with it'

/** Keeps the result of a run within bounds, whatever a script sends and a target answers. What is left out is said. */
export class ResultRoom {
  private left = CALLS_LIMIT

  /** Takes out of a call's record what does not fit any more, the longest-winded first to be asked. */
  fit(record: CallRecord): void {
    const { request, response, config } = record
    const note = (what: string) => warn(record, `${what} ${LEFT_OUT}`)
    if (request && !this.take(request.url)) {
      request.url = '…'
      note('the URL')
    }
    if (!this.take(record.error)) record.error = '…'
    if (!this.take(record.redirects)) {
      record.redirects = []
      note('where redirects led')
    }
    if (request && !this.take(request.headers)) {
      request.headers = {}
      note('what was sent as headers')
    }
    if (response && !this.take(response.headers)) {
      response.headers = {}
      note('what was answered as headers')
    }
    if (!this.take(config)) {
      const { timeout, redirects, security } = config as { [field: string]: JsonObject }
      record.config = {
        timeout: { ms: timeout!.ms, action: timeout!.action, retries: timeout!.retries },
        redirects: { follow: redirects!.follow, max: redirects!.max },
        security: { rejectInvalidCerts: security!.rejectInvalidCerts },
      } as CallRecord['config']
      note('what extensions are told')
    }
    if (response && !this.take([response.dns, response.tls, response.statusText])) {
      response.dns = { resolvedIps: [], resolvedIp: response.dns.resolvedIp }
      response.tls = null
      response.statusText = ''
      note('what is known of the connection')
    }
    if (!this.take(record.warnings)) record.warnings = record.warnings.slice(-5)
  }

  private take(part: unknown): boolean {
    const { size } = measure(part as Json, Math.max(this.left, SMALL))
    if (size <= SMALL) return true
    if (size > this.left) return false
    this.left -= size
    return true
  }
}

/** Variables as the result shows them: of those that do not fit, the beginning of their JSON. */
export async function shownVariables(
  variables: JsonObject,
  beyondCut: number,
  maskStart: (text: string, length: number) => Promise<string>,
): Promise<JsonObject> {
  let left = VARIABLES_LIMIT
  const shown: [string, Json][] = []
  for (const [name, value] of Object.entries(variables)) {
    const { size } = measure(value, left)
    if (size <= left) {
      left -= size
      shown.push([name, value])
      continue
    }
    const length = Math.min(LONGEST_START, Math.max(left, 0))
    left -= length
    const longer = length + beyondCut
    const start = typeof value === 'string' ? value.slice(0, longer) : jsonStart(value, longer)
    shown.push([name, `${(await maskStart(start, length)).slice(0, length)}…`])
  }
  return Object.fromEntries(shown)
}
