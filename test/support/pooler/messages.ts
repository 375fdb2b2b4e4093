// The messages of the PostgreSQL protocol that a pooler must understand.

export type Message = { type: string; bytes: Buffer }

const [SSL_REQUEST, CANCEL_REQUEST] = [80_877_103, 80_877_102]

/** Splits a stream into messages: a letter, the length of what follows with itself, and the content. */
export function messageReader(onMessage: (message: Message) => void): (chunk: Buffer) => void {
  let left: Buffer = Buffer.alloc(0)
  return (chunk) => {
    left = left.length === 0 ? chunk : Buffer.concat([left, chunk])
    while (left.length >= 5 && left.length > left.readInt32BE(1)) {
      const end = left.readInt32BE(1) + 1
      onMessage({ type: String.fromCharCode(left[0] as number), bytes: left.subarray(0, end) })
      left = left.subarray(end)
    }
  }
}

export type Startup =
  | { kind: 'ssl' }
  | { kind: 'cancel'; pid: number; secret: number }
  | { kind: 'start'; parameters: Record<string, string> }

/** Parses the first message of a connection, which has no letter; null while it is not complete. */
export function parseStartup(bytes: Buffer): { startup: Startup; length: number } | null {
  if (bytes.length < 8 || bytes.length < bytes.readInt32BE(0)) return null
  const [length, code] = [bytes.readInt32BE(0), bytes.readInt32BE(4)]
  if (code === SSL_REQUEST) return { startup: { kind: 'ssl' }, length }
  if (code === CANCEL_REQUEST) {
    return { startup: { kind: 'cancel', pid: bytes.readInt32BE(8), secret: bytes.readInt32BE(12) }, length }
  }
  const words = bytes.toString('utf8', 8, length).split('\0')
  const parameters: Record<string, string> = {}
  for (let index = 0; words[index]; index += 2) parameters[words[index] as string] = words[index + 1] ?? ''
  return { startup: { kind: 'start', parameters }, length }
}

export function cancelRequest(pid: number, secret: number): Buffer {
  const bytes = Buffer.alloc(16)
  for (const [index, value] of [16, CANCEL_REQUEST, pid, secret].entries()) bytes.writeInt32BE(value | 0, index * 4)
  return bytes
}

export function message(type: string, ...parts: (string | number | Buffer)[]): Buffer {
  const content = parts.map((part) => {
    if (typeof part === 'string') return Buffer.from(`${part}\0`)
    if (typeof part !== 'number') return part
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(part | 0)
    return bytes
  })
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(
    content.reduce((sum, part) => sum + part.length, 4),
    1,
  )
  return Buffer.concat([head, ...content])
}

/** Reads the text that ends with a zero byte, and where the next field begins. */
export function textAt(bytes: Buffer, start: number): { text: string; end: number } {
  const zero = bytes.indexOf(0, start)
  return { text: bytes.toString('utf8', start, zero), end: zero + 1 }
}
