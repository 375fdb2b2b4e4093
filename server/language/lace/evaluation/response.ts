import { decodeText } from '../charset.ts'
import type { TransportResponse } from '../transport.ts'
import { type Json, type JsonObject, measureJson } from '../values/json.ts'
import { BodyNotRead, type StepBudget } from '../values/limits.ts'

const MAX_BODY_DEPTH = 500
/** Per byte that is decoded, and per character of JSON that is parsed and measured. */
const DECODE_STEPS = 3
const PARSE_STEPS = 30

/** The response of a call as its chain methods read it: the fields of `this`, the body as a string and as JSON. */
export class ResponseView {
  readonly received: TransportResponse
  /** The interpolated URL of the first request. */
  readonly requestUrl: string
  readonly redirects: string[]
  /** Why the body is not parsed although it is declared as JSON. */
  bodyWarning: string | null = null
  private text: string | undefined
  private parsed: { value: Json } | null | undefined

  private readonly budget: StepBudget

  constructor(
    received: TransportResponse,
    requestUrl: string,
    redirects: string[],
    { budget }: { budget: StepBudget },
  ) {
    this.received = received
    this.budget = budget
    this.requestUrl = requestUrl
    this.redirects = redirects
  }

  /** Returns a field of `this`; null when it does not exist. @throws BodyNotRead when the body was not read */
  field(name: string): Json {
    const { status, statusText, headers, timings, sizeBytes, dns, tls } = this.received
    switch (name) {
      case 'status':
        return status
      case 'statusText':
        return statusText
      case 'headers':
        return headers
      case 'body':
        return this.body
      case 'responseTime':
        return timings.responseTimeMs
      case 'connect':
        return timings.connectMs
      case 'ttfb':
        return timings.ttfbMs
      case 'transfer':
        return timings.transferMs
      case 'size':
        return sizeBytes
      case 'redirects':
        return this.redirects
      case 'dns':
        return dns as JsonObject
      case 'dnsMs':
        return timings.dnsMs
      case 'tls':
        return tls as JsonObject | null
      case 'tlsMs':
        return timings.tlsMs
    }
    return null
  }

  /** The body as a string, decoded with the charset that the response or the document declares. */
  get bodyText(): string {
    const { body } = this.received
    if (body === null) throw new BodyNotRead('the body exceeds the size limit and was not read')
    if (this.text === undefined) {
      this.budget.spend(body.length * DECODE_STEPS)
      this.text = decodeText(body, this.contentType)
    }
    return this.text
  }

  /** The body as JSON, even if its content type is another; null when it is not JSON. */
  get bodyJson(): { value: Json } | null {
    if (this.parsed === undefined) this.parsed = this.parse()
    return this.parsed
  }

  get contentType(): string {
    return contentTypeOf(this.received.headers)
  }

  /** Parsed when the response declares JSON, else a string. */
  private get body(): Json {
    const text = this.bodyText
    if (!isJsonType(this.contentType)) return text
    return this.bodyJson ? this.bodyJson.value : text
  }

  private parse(): { value: Json } | null {
    const text = this.bodyText
    this.budget.spend(text.length * PARSE_STEPS)
    try {
      const value: Json = JSON.parse(text)
      if (measureJson(value, Number.POSITIVE_INFINITY).depth <= MAX_BODY_DEPTH) return { value }
      this.bodyWarning = `the body nests deeper than ${MAX_BODY_DEPTH} levels, so it is used as a string`
      return null
    } catch {
      return null
    }
  }
}

export function contentTypeOf(headers: TransportResponse['headers']): string {
  const type = headers['content-type']
  return (Array.isArray(type) ? type[0] : type) ?? ''
}

function isJsonType(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  return type === 'application/json' || type.endsWith('+json')
}
