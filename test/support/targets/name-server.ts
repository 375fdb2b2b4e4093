import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Answer, decode, encode, type Packet } from 'dns-packet'

export type AddressType = 'A' | 'AAAA'

/**
 * Returns the reply to one query: addresses, optionally behind a CNAME, or an error. It is sent when `after` resolves; a
 * silent one never. `times` counts from 1 per type.
 */
export type Zone = (type: AddressType, times: number) => Reply
export type Reply = {
  addresses?: string[]
  alias?: string
  error?: keyof typeof ERROR_CODES
  silent?: boolean
  after?: Promise<unknown>
}

export type NameServer = {
  /** `127.0.0.1:port`, for `resolv.conf`. */
  address: string
  set: (name: string, zone: Zone) => void
  /** Returns how often a name was queried, by type. */
  queryCounts: (name: string) => Record<AddressType, number>
  /** Returns the names queried for IPv4, in order. */
  queriedNames: () => string[]
  close: () => Promise<void>
}

const ERROR_CODES = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 }

/** Starts a name server on loopback. Replies have a TTL of 0; unknown names do not exist. */
export async function startNameServer(): Promise<NameServer> {
  const zones = new Map<string, Zone>()
  const counts = new Map<string, Record<AddressType, number>>()
  const queried: string[] = []
  const countsOf = (name: string) => {
    const known = counts.get(name) ?? { A: 0, AAAA: 0 }
    counts.set(name, known)
    return known
  }

  const socket = createSocket('udp4')
  let isClosed = false
  socket.on('message', async (message, from) => {
    const query = decode(message)
    const question = query.questions?.[0]
    if (!question || (question.type !== 'A' && question.type !== 'AAAA')) return
    const name = question.name.toLowerCase()
    const asked = countsOf(name)
    asked[question.type] += 1
    if (question.type === 'A') queried.push(name)
    const reply = zones.get(name)?.(question.type, asked[question.type]) ?? { error: 'NXDOMAIN' as const }
    await reply.after
    if (reply.silent || isClosed) return
    socket.send(encode(answer(query, question.name, question.type, reply)), from.port, from.address)
  })
  await once(socket.bind(0, '127.0.0.1'), 'listening')

  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, zone) => void zones.set(name, zone),
    queryCounts: countsOf,
    queriedNames: () => queried,
    close: () => {
      isClosed = true
      return new Promise((done) => socket.close(() => done()))
    },
  }
}

function answer(query: Packet, name: string, type: AddressType, reply: Reply): Packet {
  const answers: Answer[] = []
  if (reply.alias) answers.push({ type: 'CNAME', name, ttl: 0, data: reply.alias })
  for (const data of reply.addresses ?? []) answers.push({ type, name: reply.alias ?? name, ttl: 0, data })
  const code = reply.error ? ERROR_CODES[reply.error] : 0
  // Recursion desired and available; the low four bits are the response code.
  return { type: 'response', id: query.id, flags: 0x0180 | code, questions: query.questions, answers }
}
