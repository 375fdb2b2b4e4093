import { request } from 'node:http'
import { Duplex } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { TransportError } from '#server/lace/transport.ts'
import { ResponseParser } from '#worker/http/response-parser.ts'

const MAX_HEADER_BYTES = 4_096

type Parsed = { status: number; statusText: string; rawHeaders: string[]; body: string }

/** Parses a response that comes in these parts, after which the server closes the connection. */
function parse(parts: Buffer[]): Parsed | 'invalid' | 'cut' {
  let head: Omit<Parsed, 'body'> | undefined
  let body = ''
  const parser = new ResponseParser(MAX_HEADER_BYTES, {
    onHead: (received) => {
      if (received.status >= 200) head = received
    },
    onBody: (part) => {
      body += part.toString('latin1')
    },
    onEnd: () => {},
  })
  try {
    for (const part of parts) parser.write(part)
  } catch (error) {
    if (error instanceof TransportError) return 'invalid'
    throw error
  }
  return parser.close() && head ? { ...head, body } : 'cut'
}

/** The same with Node's client. */
function parseWithNode(response: Buffer): Promise<Parsed | 'invalid' | 'cut'> {
  return new Promise((resolve) => {
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
    const sent = request({ createConnection: () => socket, maxHeaderSize: MAX_HEADER_BYTES })
    let isComplete = () => false
    const onError = ({ code }: NodeJS.ErrnoException) => {
      // What follows a complete response does not matter on a connection that has only one.
      if (!isComplete()) resolve(code?.startsWith('HPE_') ? 'invalid' : 'cut')
    }
    sent.maxHeadersCount = 0
    sent.on('error', onError)
    sent.on('response', (received) => {
      isComplete = () => received.complete
      let body = ''
      received.setEncoding('latin1')
      received.on('data', (part: string) => {
        body += part
      })
      received.on('error', onError)
      received.on('end', () => {
        const { statusCode = 0, statusMessage = '', rawHeaders } = received
        resolve({ status: statusCode, statusText: statusMessage, rawHeaders, body })
      })
    })
    sent.end()
    socket.push(response)
    socket.push(null)
  })
}

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`
const RESPONSES = [
  `${OK}Content-Length: 5\r\n\r\nhello`,
  `${OK}Content-Length: 5\r\n\r\nhello and more`,
  `${OK}Content-Length: 5\r\n\r\nhell`,
  `${OK}Content-Length: 0\r\n\r\n`,
  `${OK}\r\nuntil the end`,
  `HTTP/1.0 200 OK\r\nX-A: 1\r\n\r\nuntil the end`,
  'HTTP/1.1 200\r\n\r\nno reason',
  'HTTP/1.1 200 \r\n\r\nempty reason',
  'HTTP/1.1 404 Not  Found \r\nContent-Length: 0\r\n\r\n',
  '\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na',
  'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello',
  'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello',
  'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nrest',
  `${OK}X-Space:   a b \t \r\nx-none:\r\nX-Many: 1\r\nX-Many: 2\r\nContent-Length: 0\r\n\r\n`,
  `${OK}X-Latin: caf\xe9\r\nContent-Length: 0\r\n\r\n`,
  `${CHUNKED}5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`,
  `${CHUNKED}5;name=value\r\nhello\r\n0\r\nX-Trailer: 1\r\nX-Other: 2\r\n\r\n`,
  `${CHUNKED}00a\r\n0123456789\r\n0\r\n\r\nmore`,
  `${CHUNKED}5\r\nhello\r\n`,
  `${CHUNKED}0\r\n\r\n`,
  `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`,
  `${OK}Transfer-Encoding: gzip\r\n\r\nuntil the end`,
  `${OK}X-Long: ${'x'.repeat(3_000)}\r\nContent-Length: 1\r\n\r\na`,
]
const INVALID = [
  'HTTP/1.1 20 OK\r\n\r\n',
  'HTTP/1.1 2000 OK\r\n\r\n',
  'HTTP/3.1 200 OK\r\n\r\n',
  'HTTP/1.1200 OK\r\n\r\n',
  'FTP/1.1 200 OK\r\n\r\n',
  `${OK}No colon\r\n\r\n`,
  `${OK}Space : 1\r\n\r\n`,
  `${OK}: empty\r\n\r\n`,
  `${OK}X-Nul: a\0b\r\n\r\n`,
  `${OK}X-Delete: a\x7fb\r\n\r\n`,
  `${OK}X-Return: a\rb\r\n\r\n`,
  `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`,
  `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${OK}Content-Length: -5\r\n\r\nhello`,
  `${OK}Content-Length: 5 5\r\n\r\nhello`,
  `${OK}Content-Length: \r\n\r\nhello`,
  `${OK}Content-Length: 99999999999999999999\r\n\r\nhello`,
  `${CHUNKED}x\r\nhello\r\n0\r\n\r\n`,
  `${CHUNKED}\r\nhello\r\n0\r\n\r\n`,
  `${CHUNKED}5 \r\nhello\r\n0\r\n\r\n`,
  `${CHUNKED}-5\r\nhello\r\n0\r\n\r\n`,
  `${CHUNKED}5\r\nhelloo\r\n0\r\n\r\n`,
  `${CHUNKED}fffffffffffffffff\r\nhello\r\n0\r\n\r\n`,
  `${CHUNKED}0\r\nbad trailer\r\n\r\n`,
  `${OK}X-Long: ${'x'.repeat(5_000)}\r\n\r\n`,
]
const bytes = (text: string) => Buffer.from(text, 'latin1')
const name = (text: string) => JSON.stringify(text).slice(1, 100)

describe('a response is read as by Node', () => {
  test.each(RESPONSES.map((text) => [name(text), text]))('%s', async (_name, text) => {
    const parsed = parse([bytes(text)])
    expect(parsed).not.toBe('invalid')
    expect(parsed).toEqual(await parseWithNode(bytes(text)))
  })

  test.each(INVALID.map((text) => [name(text), text]))('%s is refused', async (_name, text) => {
    expect(await parseWithNode(bytes(text))).toBe('invalid')
    expect(parse([bytes(text)])).toBe('invalid')
  })

  test('in whatever parts it comes', () => {
    for (const text of [...RESPONSES, ...INVALID]) {
      const whole = bytes(text)
      const expected = parse([whole])
      for (const size of [1, 2, 3, 7, 64]) {
        const parts = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
          whole.subarray(i * size, (i + 1) * size),
        )
        expect(parse(parts)).toEqual(expected)
      }
    }
  })

  test('nothing is accepted that Node refuses, whichever byte of a response is another one', async () => {
    const replacements = ['\0', '\r', '\n', ' ', '\t', ':', '0', '9', 'a', ';', '\x7f', '\xff']
    for (const text of RESPONSES.filter(({ length }) => length < 200)) {
      for (let at = 0; at < text.length; at++) {
        const replacement = replacements[(at * 7 + text.length) % replacements.length] as string
        const mutated = bytes(text.slice(0, at) + replacement + text.slice(at + 1))
        const parsed = parse([mutated])
        if (typeof parsed === 'string') continue
        expect.soft(await parseWithNode(mutated), JSON.stringify(mutated.toString('latin1'))).toEqual(parsed)
      }
    }
  })
})
