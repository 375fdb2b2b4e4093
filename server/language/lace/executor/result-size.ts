import { warn } from '../evaluation/context.ts'
import { type CallRecord, OMITTED, REDIRECTS_OMITTED } from '../result.ts'
import { type Json, type JsonObject, jsonPrefix, measureJson } from '../values/json.ts'

/** Characters of JSON for the requests and responses of all calls together. */
const MAX_CALLS_SIZE = 512 * 1024
/** Characters of JSON for the run variables, and again for the variables that are written back. */
const MAX_VARIABLES_SIZE = 128 * 1024
/** Length of the prefix that is shown of a variable that does not fit. */
const MAX_PREFIX_LENGTH = 8 * 1024

/** Parts up to this size are always kept. */
const SMALL_SIZE = 200

/** Limits the size of a run's result. Scripts and targets cannot exceed it. Warnings name omitted parts. */
export class ResultSizeLimit {
  private remaining = MAX_CALLS_SIZE

  /** Removes the parts of a call's record that do not fit. The most useful parts are reserved first. */
  trim(record: CallRecord): void {
    const { request, response, config } = record
    const warnOmitted = (what: string) => warn(record, `${OMITTED}: ${what}`)
    if (request && !this.reserve(request.url)) {
      request.url = '…'
      warnOmitted('the URL')
    }
    if (!this.reserve(record.error)) record.error = '…'
    if (!this.reserve(record.redirects)) {
      record.redirects = []
      warn(record, REDIRECTS_OMITTED)
    }
    if (request && !this.reserve(request.headers)) {
      request.headers = {}
      warnOmitted('the request headers')
    }
    if (response && !this.reserve(response.headers)) {
      response.headers = {}
      warnOmitted('the response headers')
    }
    if (!this.reserve(config)) {
      const { timeout, redirects, security } = config as { [field: string]: JsonObject }
      record.config = {
        timeout: { ms: timeout!.ms, action: timeout!.action, retries: timeout!.retries },
        redirects: { follow: redirects!.follow, max: redirects!.max },
        security: { rejectInvalidCerts: security!.rejectInvalidCerts },
      } as CallRecord['config']
      warnOmitted('the config of extensions')
    }
    if (response && !this.reserve([response.dns, response.tls, response.statusText])) {
      response.dns = { resolvedIps: [], resolvedIp: response.dns.resolvedIp }
      response.tls = null
      response.statusText = ''
      warnOmitted('the details of the connection')
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

/** Returns the variables as the result shows them; a variable that does not fit becomes a prefix of its JSON. */
export async function truncateVariables(
  variables: JsonObject,
  lookahead: number,
  maskPrefix: (text: string, length: number) => Promise<string>,
): Promise<JsonObject> {
  let remaining = MAX_VARIABLES_SIZE
  const truncated: [string, Json][] = []
  for (const [name, value] of Object.entries(variables)) {
    const { size } = measureJson(value, remaining)
    if (size <= remaining) {
      remaining -= size
      truncated.push([name, value])
      continue
    }
    const length = Math.min(MAX_PREFIX_LENGTH, Math.max(remaining, 0))
    remaining -= length
    const prefixLength = length + lookahead
    const prefix = typeof value === 'string' ? value.slice(0, prefixLength) : jsonPrefix(value, prefixLength)
    truncated.push([name, `${(await maskPrefix(prefix, length)).slice(0, length)}…`])
  }
  return Object.fromEntries(truncated)
}
