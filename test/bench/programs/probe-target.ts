import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { parentPort, workerData } from 'node:worker_threads'
import { listeningPort } from '#test/support/targets/canary.ts'

// The probed servers. They run in a separate thread, so that their CPU time is not counted.
const body = JSON.stringify({ status: 'ok', checks: Array(20).fill({ name: 'database', ok: true }) })
const listener: RequestListener = (_request, response) => {
  response.setHeader('Content-Type', 'application/json')
  response.end(body)
}
const plain = createServer(listener).listen(0, '127.0.0.1', () => {
  const secure = createTlsServer(workerData, listener).listen(0, '127.0.0.1', () => {
    parentPort!.postMessage({ plain: listeningPort(plain), secure: listeningPort(secure) })
  })
})
