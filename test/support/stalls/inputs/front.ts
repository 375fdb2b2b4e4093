import { request } from 'node:http'
import type { HostileInput } from '../hostile-input.ts'
import type { StallSetup } from '../setup.ts'
import type { Variation } from '../variation.ts'

// Requests of strangers: long request lines, long headers, and unexpected bodies.

/** Node's limit on request line and headers. */
const HEAD_BYTES = 15_000
const MIB = 1_048_576

type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: string }

/** Sends a request unchanged: `fetch` would normalize the target and refuse some headers. */
function sendRaw({ web }: StallSetup, { body, ...options }: Sent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: web.port, agent: false, ...options }, (response) => {
      if ((response.statusCode ?? 0) >= 500) reject(new Error(`${options.path} answered ${response.statusCode}`))
      response.resume().on('end', resolve).on('error', resolve)
    })
    // The server may close the connection before the request is sent.
    sent.on('error', () => resolve()).end(body)
  })
}

const PAGES = ['/sign-in', '/', '/workspaces', '/docs/api', '/nothing/here'] as const
const PIECES = ['a', '/', '/..', '%25', '%2e', '%C3%A9', ';', ',', '&a=', '[', '"', '=', '{"a":', '\\', '1,'] as const

function text(variation: Variation, bytes = HEAD_BYTES): string {
  const piece = variation.pick(PIECES)
  return piece.repeat(Math.floor(variation.integer(bytes, 1, bytes) / piece.length))
}

export const FRONT_INPUTS: HostileInput[] = [
  {
    name: 'front: a long target',
    process: 'web',
    async send(setup, variation) {
      const start = variation.pick([
        '/api/public/v1/key',
        '/sign-in',
        '/api/trpc/auth.me',
        '/api/health',
        '/_next/image',
      ])
      const join = variation.pick(['?input=', '/', '?'])
      await sendRaw(setup, { path: `${start}${join}${text(variation).replaceAll('"', '%22')}` })
    },
  },
  {
    name: 'front: long headers',
    process: 'web',
    async send(setup, variation) {
      const name = variation.pick([
        'cookie',
        'x-forwarded-for',
        'authorization',
        'next-router-state-tree',
        'origin',
        'accept-language',
        'if-none-match',
        'range',
      ])
      const path = variation.pick(['/sign-in', '/api/trpc/auth.me', '/api/public/v1/key'])
      await sendRaw(setup, { path, headers: { rsc: variation.pick(['1', '0']), [name]: text(variation) } })
    },
  },
  {
    name: 'front: a body to a page',
    process: 'web',
    async send(setup, variation) {
      const boundary = 'xyz'
      const part = `--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n`
      const bytes = variation.integer(MIB - 100, 1_000, MIB - 100)
      const type = variation.pick([
        `multipart/form-data; boundary=${boundary}`,
        'text/plain;charset=UTF-8',
        'application/json',
      ])
      const body = type.startsWith('multipart')
        ? `${part.repeat(bytes / part.length - 1)}--${boundary}--\r\n`
        : '['.repeat(bytes)
      const headers = { 'content-type': type, 'next-action': '0'.repeat(42), 'content-length': String(body.length) }
      await sendRaw(setup, {
        method: variation.pick(['POST', 'PUT', 'PATCH', 'DELETE']),
        path: variation.pick(PAGES),
        headers,
        body,
      })
    },
  },
  {
    name: 'front: pages, by anyone',
    process: 'web',
    async send(setup, variation) {
      const headers = variation.pick<Record<string, string>>([
        {},
        { rsc: '1' },
        { rsc: '1', 'next-router-prefetch': '1' },
      ])
      await sendRaw(setup, { path: `${variation.pick(PAGES)}?${text(variation, 2_000).replaceAll('"', '')}`, headers })
    },
  },
  {
    name: 'front: the document',
    process: 'web',
    send: (setup) => sendRaw(setup, { path: '/api/openapi/public/v1.json' }),
  },
]
