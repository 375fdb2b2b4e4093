import type { Socket } from 'node:net'

const [TAB, LF, CR, SPACE, ONE] = [0x09, 0x0a, 0x0d, 0x20, 0x31]
/** Where `HTTP/1.1 200` has the first digit of its status. */
const STATUS_AT = 9

/**
 * Joins folded header lines of the responses on a socket before they are parsed: each fold becomes a space, as RFC 9112
 * (5.2) demands of clients. Node's parser accepts folds only in a mode that accepts many other faults. White space of
 * folds beyond `maxBytes` is passed on, so that it counts as header bytes.
 */
export function unfoldHeaders(socket: Socket, maxBytes: number): void {
  // A server that speaks before it is asked: its first bytes are read already, so the place in the response is not known.
  if (socket.readableLength > 0) return
  const push = socket.push.bind(socket)
  const unfold = createUnfold(maxBytes)
  socket.push = (chunk: Buffer | null, encoding) => {
    const bytes = unfold.read(chunk)
    if (unfold.isDone() || chunk === null) socket.push = push
    if (chunk === null && bytes.length > 0) push(bytes)
    return chunk === null ? push(null) : bytes.length === 0 || push(bytes, encoding)
  }
}

/** Reads a response chunk by chunk. The end of a line is held back until the next byte shows whether it is a fold. */
function createUnfold(maxBytes: number) {
  let held: number[] = []
  let isFold = false
  let isFirstLine = true
  let isInterim = false
  let isDone = false
  let column = 0
  let dropped = 0

  const endSection = () => {
    isDone = !isInterim
    isFirstLine = true
    isInterim = false
  }

  /** Returns the bytes for the parser; with null, those that are still held back. */
  function read(chunk: Buffer | null): Buffer {
    if (chunk === null) return Buffer.from(held)
    const out = Buffer.allocUnsafe(chunk.length + held.length + 1)
    let length = 0
    const release = () => {
      for (const byte of held) out[length++] = byte
      held = []
    }
    let at = 0
    for (; at < chunk.length && !isDone; at += 1) {
      const byte = chunk[at] as number
      const isBlank = byte === SPACE || byte === TAB
      if (isFold) {
        dropped += 1
        isDone = dropped > maxBytes
        if (isBlank && !isDone) continue
        isFold = false
        out[length++] = SPACE
        if (isDone) break
      }
      if (held.at(-1) === LF) {
        if (isBlank && !isFirstLine) {
          held = []
          isFold = true
          continue
        }
        release()
        isFirstLine = false
        column = 0
      } else if (held.length > 0 && byte !== LF) release()
      if (byte === CR || byte === LF) {
        held.push(byte)
        if (byte === LF && column === 0) {
          release()
          endSection()
        }
        continue
      }
      if (isFirstLine && column === STATUS_AT) isInterim = byte === ONE
      column += 1
      out[length++] = byte
    }
    return Buffer.concat([out.subarray(0, length), chunk.subarray(at)])
  }

  return { read, isDone: () => isDone }
}
