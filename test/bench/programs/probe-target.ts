import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { listeningPort } from '#test/support/targets/canary.ts'

// The probed servers, in a process of their own, so that their CPU time is not counted. They listen on all addresses of
// the loopback network, because a worker opens only so many connections to one host. `/after/50` responds after 50 ms.

const body = JSON.stringify({ status: 'ok', checks: Array(20).fill({ name: 'database', ok: true }) })
const listener: RequestListener = async (request, response) => {
  const ms = Number(/^\/after\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0)
  if (ms > 0) await sleep(ms)
  response.setHeader('Content-Type', 'application/json')
  response.end(body)
}
const certificate = JSON.parse(process.env.CERTIFICATE ?? '{}')
const BACKLOG = 4_096
const plain = createServer(listener).listen({ port: 0, host: '0.0.0.0', backlog: BACKLOG }, () => {
  const secure = createTlsServer(certificate, listener).listen({ port: 0, host: '127.0.0.1', backlog: BACKLOG }, () => {
    process.send?.({ plain: listeningPort(plain), secure: listeningPort(secure) })
  })
})
process.on('disconnect', () => process.exit())
