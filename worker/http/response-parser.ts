import { invalidResponse, oversizedHeaders } from './failures.ts'
import { parseFieldLines, parseStatusLine } from './response-head.ts'

// A parser of HTTP/1.1 responses (RFC 9112), as strict as Node's. It reads one response per connection, so the time of
// Node's client, which prepares the next ones, is not part of a probe.

export type ResponseHead = { status: number; statusText: string; rawHeaders: string[] }

export type ResponseHandlers = {
  /** Called for each interim response (1xx), and then for the final one. */
  onHead: (head: ResponseHead) => void
  /** Called with each part of the body, without chunk framing. */
  onBody: (part: Buffer) => void
  onEnd: () => void
}

type State = 'head' | 'length' | 'untilClose' | 'chunkSize' | 'chunkData' | 'chunkEnd' | 'trailers' | 'ended'

const CR = 13
const LF = 10
const START = 'HTTP/'
const HEAD_END = '\r\n\r\n'
/** Bytes of the line with a chunk's size, extensions included. */
const MAX_CHUNK_LINE = 16 * 1024
/** Hexadecimal digits of a chunk's size: more would not be exact as a number. */
const MAX_SIZE_DIGITS = 13
/** The size of a chunk, and extensions as RFC 9112 writes them. */
const CHUNK_LINE =
  /^([0-9a-f]+)(?:;[!#$%&'*+.^_`|~0-9a-z-]+(?:=(?:[!#$%&'*+.^_`|~0-9a-z-]+|"[\t\x20\x21\x23-\x5b\x5d-\x7e]*"))?)*$/i
const NO_BYTES = Buffer.alloc(0)

export class ResponseParser {
  readonly #handlers: ResponseHandlers
  readonly #maxHeaderBytes: number
  #state: State = 'head'
  /** The unfinished head, line of a chunk, or trailers. */
  #pending = NO_BYTES
  #pendingLength = 0
  /** Bytes that the body, or its current chunk, still has. */
  #left = 0

  constructor(maxHeaderBytes: number, handlers: ResponseHandlers) {
    this.#maxHeaderBytes = maxHeaderBytes
    this.#handlers = handlers
  }

  /** Parses received bytes. Bytes after the end of the response are ignored. @throws TransportError */
  write(data: Buffer): void {
    let rest = data
    while (rest.length > 0 && this.#state !== 'ended') rest = this.#step(rest)
  }

  /** The server has closed the connection. Returns whether the response is complete. */
  close(): boolean {
    if (this.#state === 'untilClose') this.#end()
    return this.#state === 'ended'
  }

  /** Ignores everything that follows. */
  stop(): void {
    this.#state = 'ended'
  }

  /** Consumes bytes in the current state and returns the rest. */
  #step(data: Buffer): Buffer {
    switch (this.#state) {
      case 'head':
        return this.#readHead(data)
      case 'untilClose':
        this.#handlers.onBody(data)
        return NO_BYTES
      case 'length':
      case 'chunkData':
        return this.#readData(data)
      case 'chunkSize':
        return this.#readChunkSize(data)
      case 'chunkEnd':
        return this.#readChunkEnd(data)
      case 'trailers':
        return this.#readTrailers(data)
      case 'ended':
        return NO_BYTES
    }
  }

  #readHead(given: Buffer): Buffer {
    const data = this.#pendingLength === 0 ? given.subarray(lineBreaksBefore(given)) : given
    const block = this.#readUntil(data, HEAD_END, this.#maxHeaderBytes, oversizedHeaders)
    if (block === null) {
      this.#requireStart(this.#pending.toString('latin1', 0, Math.min(this.#pendingLength, START.length)))
      return NO_BYTES
    }
    this.#requireStart(block.text.slice(0, START.length))
    const lineEnd = block.text.indexOf('\r\n')
    const statusLine = lineEnd < 0 ? block.text : block.text.slice(0, lineEnd)
    const { status, statusText } = parseStatusLine(statusLine)
    const rawHeaders = lineEnd < 0 ? [] : parseFieldLines(block.text, lineEnd + 2)
    const isFinal = status >= 200
    if (isFinal) this.#startBody(status, rawHeaders)
    this.#handlers.onHead({ status, statusText, rawHeaders })
    if (isFinal && this.#isBodyEmpty()) this.#end()
    return block.rest
  }

  /** Recognizes another protocol by its first bytes, because its end may never come. */
  #requireStart(text: string): void {
    if (!START.startsWith(text)) throw invalidResponse('Expected HTTP/')
  }

  #startBody(status: number, rawHeaders: string[]): void {
    const { length, isChunked, hasCoding } = framingOf(rawHeaders)
    if (status === 204 || status === 304) this.#startLength(0)
    else if (isChunked) this.#state = 'chunkSize'
    else if (length !== null && !hasCoding) this.#startLength(length)
    else this.#state = 'untilClose'
  }

  #startLength(length: number): void {
    this.#state = 'length'
    this.#left = length
  }

  #isBodyEmpty(): boolean {
    return this.#state === 'length' && this.#left === 0
  }

  #readData(data: Buffer): Buffer {
    const part = data.length <= this.#left ? data : data.subarray(0, this.#left)
    this.#left -= part.length
    this.#handlers.onBody(part)
    // The handler may have stopped the parser.
    if (this.#left === 0 && this.#state === 'length') this.#end()
    else if (this.#left === 0 && this.#state === 'chunkData') this.#state = 'chunkEnd'
    return data.subarray(part.length)
  }

  #readChunkSize(data: Buffer): Buffer {
    const block = this.#readUntil(data, '\r\n', MAX_CHUNK_LINE, () => invalidResponse('Chunk extensions overflow'))
    if (block === null) {
      // Recognized at once, because the end of such a line may never come.
      if (hexDigit(this.#pending[0]) === null) throw invalidResponse('Invalid character in chunk size')
      return NO_BYTES
    }
    const [, digits] = CHUNK_LINE.exec(block.text) ?? []
    if (digits === undefined) throw invalidResponse('Invalid character in chunk size')
    if (digits.replace(/^0+/, '').length > MAX_SIZE_DIGITS) throw invalidResponse('Chunk size overflow')
    this.#left = Number.parseInt(digits, 16)
    this.#state = this.#left === 0 ? 'trailers' : 'chunkData'
    return block.rest
  }

  #readChunkEnd(data: Buffer): Buffer {
    const expected = this.#left === 0 ? CR : LF
    if (data[0] !== expected) throw invalidResponse('Expected LF after chunk data')
    if (expected === CR) this.#left = -1
    else this.#state = 'chunkSize'
    return data.subarray(1)
  }

  /** Checks and drops the trailers. They end with an empty line, as the head does. */
  #readTrailers(data: Buffer): Buffer {
    if (this.#pendingLength === 0 && data[0] === CR && data[1] === LF) {
      this.#end()
      return NO_BYTES
    }
    const block = this.#readUntil(data, HEAD_END, this.#maxHeaderBytes, oversizedHeaders)
    if (block === null) {
      if (this.#pendingLength >= 2 && this.#pending[0] === CR && this.#pending[1] === LF) this.#end()
      return NO_BYTES
    }
    parseFieldLines(block.text, 0)
    this.#end()
    return NO_BYTES
  }

  #end(): void {
    this.#state = 'ended'
    this.#handlers.onEnd()
  }

  /**
   * Returns the text until `mark`, and the bytes after it. Null while the mark has not arrived: then the bytes are kept.
   * Each byte is searched once, however many parts the text comes in.
   */
  #readUntil(
    data: Buffer,
    mark: string,
    maxBytes: number,
    tooLong: (maxBytes: number) => Error,
  ): { text: string; rest: Buffer } | null {
    const before = this.#pendingLength
    if (before === 0) {
      const at = data.indexOf(mark, 0, 'latin1')
      if (at > maxBytes || (at < 0 && data.length > maxBytes)) throw tooLong(maxBytes)
      if (at >= 0) return { text: data.toString('latin1', 0, at), rest: data.subarray(at + mark.length) }
      this.#keep(data)
      return null
    }
    // No more than the limit is kept, and the mark may begin before it.
    const taken = data.subarray(0, maxBytes + mark.length - before)
    this.#keep(taken)
    const kept = this.#pending.subarray(0, this.#pendingLength)
    const at = kept.indexOf(mark, Math.max(0, before - mark.length + 1), 'latin1')
    if (at > maxBytes || (at < 0 && this.#pendingLength > maxBytes)) throw tooLong(maxBytes)
    if (at < 0) return null
    this.#pendingLength = 0
    return { text: kept.toString('latin1', 0, at), rest: data.subarray(at + mark.length - before) }
  }

  #keep(data: Buffer): void {
    const length = this.#pendingLength + data.length
    if (length > this.#pending.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#pending.length))
      this.#pending.copy(larger, 0, 0, this.#pendingLength)
      this.#pending = larger
    }
    data.copy(this.#pending, this.#pendingLength)
    this.#pendingLength = length
  }
}

type Framing = { length: number | null; isChunked: boolean; hasCoding: boolean }

/** Returns how the end of a body is found. @throws TransportError when the headers contradict each other */
function framingOf(rawHeaders: string[]): Framing {
  const framing: Framing = { length: null, isChunked: false, hasCoding: false }
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i]!, rawHeaders[i + 1]!]
    if (name.length === 14 && name.toLowerCase() === 'content-length') {
      if (framing.length !== null) throw invalidResponse('Content-Length already present')
      if (!/^\d{1,15}$/.test(value)) throw invalidResponse('Invalid character in Content-Length')
      framing.length = Number(value)
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      framing.hasCoding = true
      framing.isChunked = /(?:^|,)[ \t]*chunked[ \t]*$/i.test(value)
    }
  }
  if (framing.hasCoding && framing.length !== null) {
    throw invalidResponse("Content-Length can't be present with Transfer-Encoding")
  }
  return framing
}

/** Servers may send empty lines before the status line. */
function lineBreaksBefore(data: Buffer): number {
  let at = 0
  while (data[at] === CR || data[at] === LF) at++
  return at
}

function hexDigit(byte: number | undefined): number | null {
  const digit = Number.parseInt(String.fromCharCode(byte ?? 0), 16)
  return Number.isNaN(digit) ? null : digit
}
