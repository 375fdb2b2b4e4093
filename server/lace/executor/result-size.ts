import { warn } from '../evaluation/context.ts'
import type { CallRecord } from '../result.ts'
import { type Json, type JsonObject, jsonPrefix, measureJson } from '../values/json.ts'

/** Characters of JSON that all calls of a run may add to its result by what they sent and received. */
const MAX_CALLS_SIZE = 512 * 1024
/** The same for the variables of the run, and for those that are written back. */
const MAX_VARIABLES_SIZE = 128 * 1024
/** Of a variable that does not fit, so much is shown. */
const MAX_PREFIX_LENGTH = 8 * 1024

/** What is so short is always kept. */
const SMALL_SIZE = 200

const OMITTED = 'is left out of the result, which would be too large with it'

/** Keeps the result of a run within bounds, whatever a script sends and a target answers. What is left out is said. */
export class ResultSizeLimit {
  private remaining = MAX_CALLS_SIZE

  /** Takes out of a call's record what does not fit any more, the longest-winded first to be asked. */
  trim(record: CallRecord): void {
    const { request, response, config } = record
    const warnOmitted = (what: string) => warn(record, `${what} ${OMITTED}`)
    if (request && !this.reserve(request.url)) {
      request.url = '…'
      warnOmitted('the URL')
    }
    if (!this.reserve(record.error)) record.error = '…'
    if (!this.reserve(record.redirects)) {
      record.redirects = []
      warnOmitted('where redirects led')
    }
    if (request && !this.reserve(request.headers)) {
      request.headers = {}
      warnOmitted('what was sent as headers')
    }
    if (response && !this.reserve(response.headers)) {
      response.headers = {}
      warnOmitted('what was answered as headers')
    }
    if (!this.reserve(config)) {
      const { timeout, redirects, security } = config as { [field: string]: JsonObject }
      record.config = {
        timeout: { ms: timeout!.ms, action: timeout!.action, retries: timeout!.retries },
        redirects: { follow: redirects!.follow, max: redirects!.max },
        security: { rejectInvalidCerts: security!.rejectInvalidCerts },
      } as CallRecord['config']
      warnOmitted('what extensions are told')
    }
    if (response && !this.reserve([response.dns, response.tls, response.statusText])) {
      response.dns = { resolvedIps: [], resolvedIp: response.dns.resolvedIp }
      response.tls = null
      response.statusText = ''
      warnOmitted('what is known of the connection')
    }
    if (!this.reserve(record.warnings)) record.warnings = record.warnings.slice(-5)
  }

  private reserve(part: unknown): boolean {
    const { size } = measureJson(part as Json, Math.max(this.remaining, SMALL_SIZE))
    if (size <= SMALL_SIZE) return true
    if (size > this.remaining) return false
    this.remaining -= size
    return true
  }
}

/** Variables as the result shows them: of those that do not fit, the beginning of their JSON. */
export async function truncateVariables(
  variables: JsonObject,
  lookahead: number,
  maskPrefix: (text: string, length: number) => Promise<string>,
): Promise<JsonObject> {
  let remaining = MAX_VARIABLES_SIZE
  const shown: [string, Json][] = []
  for (const [name, value] of Object.entries(variables)) {
    const { size } = measureJson(value, remaining)
    if (size <= remaining) {
      remaining -= size
      shown.push([name, value])
      continue
    }
    const length = Math.min(MAX_PREFIX_LENGTH, Math.max(remaining, 0))
    remaining -= length
    const prefixLength = length + lookahead
    const prefix = typeof value === 'string' ? value.slice(0, prefixLength) : jsonPrefix(value, prefixLength)
    shown.push([name, `${(await maskPrefix(prefix, length)).slice(0, length)}…`])
  }
  return Object.fromEntries(shown)
}
