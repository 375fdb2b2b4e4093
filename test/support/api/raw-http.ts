import { connect } from 'node:net'

export type RawAnswer = {
  status: number
  headers: Record<string, string>
  body: string
  /** All received bytes, for responses that are not HTTP. */
  text: string
}

/**
 * Sends bytes unchanged and reads until the server closes the connection or has sent one complete response. An HTTP
 * client would correct most of these requests. With `untilClose` it continues to send after the response.
 */
export function sendRaw(
  port: number,
  parts: (string | Buffer)[],
  options: { untilClose?: boolean } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let received = Buffer.alloc(0)
    const finish = () => {
      socket.destroy()
      resolve(parse(received))
    }
    socket.setTimeout(20_000, () => reject(new Error(`No answer to ${String(parts[0]).slice(0, 200)}`)))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close the connection before all bytes are sent.
      if (received.length > 0 || error.code === 'EPIPE') finish()
      else reject(error)
    })
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (!options.untilClose && isWhole(received)) finish()
    })
    socket.on('close', finish)
    socket.on('connect', () => {
      for (const part of parts) socket.write(part)
    })
  })
}

/** Sends bytes, waits a little, and resets the connection. */
export function sendAndVanish(port: number, parts: (string | Buffer)[], afterMs: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part)
      setTimeout(() => socket.resetAndDestroy(), afterMs)
    })
    socket.on('error', () => {}).on('close', () => resolve())
    socket.resume()
  })
}

/** Returns the exact bytes of a request without a body. */
export function requestText(method: string, target: string, headers: string[] = []): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')
}

function isWhole(received: Buffer): boolean {
  const { headers, body } = parse(received)
  return (
    headers['content-length'] !== undefined && Buffer.byteLength(body, 'latin1') >= Number(headers['content-length'])
  )
}

function parse(received: Buffer): RawAnswer {
  const text = received.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const [line = '', ...lines] = (end < 0 ? '' : text.slice(0, end)).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]),
  )
  return { status: Number(line.split(' ')[1] ?? 0), headers, body: end < 0 ? '' : text.slice(end + 4), text }
}
