import { createServer, type Server } from 'node:http'
import { closeDatabase } from '#db/client.ts'
import { findSetupToken, logSetupLink } from '../accounts/setup-links.ts'
import { createDashboard } from '../dashboard/serve.ts'
import { processHandlers } from '../handlers.ts'
import { callerOf, withAdmission } from '../http/admission.ts'
import { clientFromHeaders } from '../http/client-address.ts'
import { createFront } from '../http/front.ts'
import { securePage } from '../http/page-security.ts'
import { checkDatabase, requireSchema } from '../process/check-database.ts'
import { connectionShare, limitPool } from '../process/connection-limits.ts'
import { hasDashboard, ROOT } from '../process/dashboard-build.ts'
import { runProgram, StartupError, sendToParent } from '../process/lifecycle.ts'
import { listen, publicAddress } from '../process/listen.ts'
import { log } from '../process/log.ts'
import { settleNodeEnv } from '../process/settings.ts'
import { documentText } from '../rest/serve-document.ts'
import { processRuntime } from '../runtime.ts'

// `npm run web`: one process that serves the public API and the dashboard. Any number may run against one database.

const dev = process.argv.includes('--dev')
/** Longer than any request may take. */
const DRAIN_LIMIT_MS = 30_000

await runProgram(async (stops) => {
  settleNodeEnv(dev ? 'development' : 'production')
  const runtime = processRuntime()
  stops.defer(() => closeDatabase(runtime.db))
  const { DATABASE_URL = '', PORT, HOST } = runtime.settings
  const connectionLimit = await checkDatabase(DATABASE_URL)
  limitPool(runtime.db, connectionShare(connectionLimit, 'web'))
  await requireSchema(runtime.db)
  if (!dev && !hasDashboard()) throw new StartupError('The dashboard is not built: run `npm run build`')

  // Loaded only now, because React looks at NODE_ENV while it loads.
  const { default: next } = await import('next')
  // Next takes the upgrades of whatever server it is given for its own; this one hears only what the front hands on.
  const upgrades = createServer()
  const app = next({ dev, dir: ROOT, hostname: HOST, port: PORT, httpServer: upgrades })
  await app.prepare()
  stops.defer(() => app.close())
  const handle = app.getRequestHandler()

  const facades = processHandlers()
  stops.defer(() => facades.api.flush())
  documentText()
  const front = createFront({
    runtime,
    ...facades,
    dashboard: createDashboard(runtime),
    next: (request, response) => {
      securePage(request, response, { dev })
      const show = () => handle(request, response)
      // What a page is made of are files.
      if (request.url?.startsWith('/_next/')) return show()
      const { address } = clientFromHeaders(new Headers(request.headers as Record<string, string>), 0)
      return withAdmission(runtime.db, callerOf(request.headers.cookie ?? null, address), show)
    },
    ...(dev && { upgrade: (request, socket, head) => upgrades.emit('upgrade', request, socket, head) }),
  })
  const port = await listen(front, PORT, HOST)
  // In development, browsers keep a connection open for as long as they show a page.
  if (!dev) stops.defer(() => drain(front))
  log.info({ port }, 'web is ready')
  // `npm start` says it itself, at its end.
  const setupToken = process.connected ? null : await findSetupToken(runtime)
  if (setupToken) logSetupLink(publicAddress(runtime.settings, port), setupToken)
  sendToParent({ type: 'ready', port })
})

/** Takes no new connections, and waits for the requests that are under way. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const closing = setInterval(() => server.closeIdleConnections(), 50)
    const limit = setTimeout(() => server.closeAllConnections(), DRAIN_LIMIT_MS)
    server.close(() => {
      clearInterval(closing)
      clearTimeout(limit)
      resolve()
    })
  })
}
