import type { IncomingMessage } from 'node:http'

/** How long the beginning of a body may take once the headers are there. */
const EXCERPT_MS = 1_000

/**
 * Reads the first `maxBytes` of a body and ends the exchange. A body that breaks off or takes too long is as good as one
 * that ends there: the response itself has arrived.
 */
export function readExcerpt(response: IncomingMessage, maxBytes: number): Promise<{ body: Buffer; bytesRead: number }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    const end = () => {
      clearTimeout(timer)
      response.destroy()
      const body = Buffer.concat(chunks).subarray(0, maxBytes)
      resolve({ body, bytesRead: body.length })
    }
    const timer = setTimeout(end, EXCERPT_MS)
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length >= maxBytes) end()
    })
    response.on('end', end)
    response.on('error', end)
    response.on('close', end)
  })
}
