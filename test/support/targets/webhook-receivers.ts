import type { ServerResponse } from 'node:http'
import { type HttpTarget, readAll, startHttpTarget } from './http-target.ts'

/**
 * How a receiver treats a message: `failing` responds with 500 to its first request and 200 to the next; `hanging` does
 * not respond until all receivers recover.
 */
export type Conduct = 'sound' | 'failing' | 'hanging'

/** What a receiver saw of one message. `accepted` counts the 200s. */
export type ReceivedMessage = { receiver: number; requests: number; bodies: Set<string>; accepted: number }

export type Receivers = Pick<HttpTarget, 'port' | 'close'> & {
  /** The path of a receiver. */
  pathOf: (receiver: number) => string
  /** By `webhook-id`. */
  messages: Map<string, ReceivedMessage>
  accepted: () => number
  holding: () => number
  /** Hanging receivers respond with 200 from now on, also to the requests that they hold. */
  recover: () => void
}

/**
 * Starts webhook receivers on one port of 127.0.0.1 or of `address`; the path says which one a request is for.
 */
export async function startReceivers(conductOf: (receiver: number) => Conduct, address?: string): Promise<Receivers> {
  const messages = new Map<string, ReceivedMessage>()
  const held = new Set<{ message: ReceivedMessage; response: ServerResponse }>()
  let hasRecovered = false
  let accepted = 0

  const accept = (message: ReceivedMessage, response: ServerResponse) => {
    // A killed worker gets no response: its connection is closed.
    if (response.destroyed) return
    if (++message.accepted === 1) accepted++
    response.end('ok')
  }

  const target = await startHttpTarget(
    async (request, response) => {
      const receiver = Number(request.url?.slice(1))
      const body = (await readAll(request).catch(() => null))?.toString()
      // A request that a killed worker did not finish.
      if (body === undefined) return
      const id = request.headers['webhook-id'] as string
      const message = messages.get(id) ?? { receiver, requests: 0, bodies: new Set(), accepted: 0 }
      messages.set(id, message)
      message.requests++
      message.bodies.add(body)
      const conduct = conductOf(receiver)
      if (conduct === 'failing' && message.requests === 1) response.writeHead(500).end('not yet')
      else if (conduct === 'hanging' && !hasRecovered) {
        const one = { message, response }
        held.add(one)
        response.on('close', () => held.delete(one))
      } else accept(message, response)
    },
    address === undefined ? {} : { address },
  )

  return {
    port: target.port,
    close: target.close,
    pathOf: (receiver) => `/${receiver}`,
    messages,
    accepted: () => accepted,
    holding: () => held.size,
    recover() {
      hasRecovered = true
      for (const { message, response } of held) accept(message, response)
    },
  }
}
