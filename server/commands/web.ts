import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_SERVER } from 'next/constants.js'
import { closeDatabase } from '#db/client.ts'
import { schemaText } from '../cli/code/format/json-schema.ts'
import type { Runtime } from '../context.ts'
import { representations } from '../fronts/rest/document-front.ts'
import { processHandlers, webMonitoring } from '../handlers.ts'
import { callerOf, withAdmission } from '../http/admission.ts'
import { clientFromHeaders } from '../http/client-address.ts'
import { createDownloads } from '../http/downloads.ts'
import { createFront } from '../http/front.ts'
import { securePage } from '../http/page-security.ts'
import { createFileHandler } from '../http/static-files.ts'
import { findSetupToken, logSetupLink } from '../identity/accounts/setup-links.ts'
import { keepSnapshots } from '../observe/metrics/snapshots.ts'
import { measureDatabaseClock } from '../observe/system/database-clock.ts'
import { warnOperator } from '../observe/system/warnings.ts'
import { startWebHeartbeat } from '../observe/system/web-heartbeat.ts'
import { startTelemetry } from '../observe/telemetry/start-telemetry.ts'
import { checkDatabase, requireSchema } from '../process/check-database.ts'
import { connectionShare, limitPool } from '../process/connection-limits.ts'
import { hasDashboard, readPackage, STATIC_FILES } from '../process/dashboard-build.ts'
import { setNodeEnv } from '../process/environment.ts'
import { runProgram, StartupError, sendToParent } from '../process/lifecycle.ts'
import { listen, publicAddress } from '../process/listen.ts'
import { log } from '../process/log.ts'
import { ROOT } from '../process/program.ts'
import { type Settings, settings } from '../process/settings.ts'
import { processRuntime } from '../runtime.ts'

// `npm run web`: one process that serves the public API and the dashboard. Several can share one database.

const dev = process.argv.includes('--dev')
/** Longer than any request may take. */
const DRAIN_LIMIT_MS = 30_000

await runProgram(async (stops) => {
  setNodeEnv(dev ? 'development' : 'production')
  stops.defer(await startTelemetry(settings(), 'web'))
  const runtime = processRuntime()
  stops.defer(() => closeDatabase(runtime.db))
  stops.defer(runtime.reads.close)
  await checkInstallation(runtime)
  if (!dev && !hasDashboard()) throw new StartupError('The dashboard is not built: run `npm run build`')
  // Its compression takes threads of their own.
  const compressed = representations(runtime.settings)
  const { handle, upgrades } = await startNext(runtime.settings, stops)

  const files = dev ? null : createFileHandler(STATIC_FILES)
  const handlers = processHandlers()
  stops.defer(() => handlers.api.flush())
  stops.defer(() => handlers.mcp.flush())
  stops.defer(() => handlers.agent.close())
  await compressed
  const front = createFront({
    runtime,
    ...handlers,
    download: createDownloads({
      '/cli.tgz': () => readPackage('cli'),
      '/agent.tgz': () => readPackage('agent'),
      '/soundline.schema.json': async () => Buffer.from(schemaText()),
    }),
    next: (request, response) => {
      securePage(request, response, { dev })
      const render = () => handle(request, response)
      // Static files need no database, so they need no admission.
      if (request.url?.startsWith('/_next/')) return files ? files(request, response, render) : render()
      const { address } = clientFromHeaders(new Headers(request.headers as Record<string, string>), 0)
      // Next waits for ever for a client that went away while its page was sent.
      const closed = new Promise<void>((resolve) => response.once('close', resolve))
      return withAdmission(callerOf(request.headers.cookie ?? null, address), () => Promise.race([render(), closed]))
    },
    ...(dev && { upgrade: (request, socket, head) => upgrades.emit('upgrade', request, socket, head) }),
  })
  const port = await listen(front, runtime.settings.PORT, runtime.settings.HOST)
  // In development, browsers keep a connection open while they show a page.
  if (!dev) stops.defer(() => drain(front))
  const heartbeat = startWebHeartbeat(runtime.db)
  stops.defer(heartbeat.stop)
  runtime.live.start()
  // Before `drain`, which would wait for the streams and for requests that wait for runs.
  stops.defer(() => runtime.live.close())
  stops.defer(() => runtime.waits.close())
  const { own, readiness } = webMonitoring()
  stops.defer(keepSnapshots(runtime.db, own))
  stops.defer(readiness.stop)
  stops.defer(() => handlers.agent.endPolls())
  log.info({ port }, 'web is ready')
  // `npm start` logs the link itself, when everything runs.
  const setupToken = process.connected ? null : await findSetupToken(runtime)
  if (setupToken) logSetupLink(publicAddress(runtime.settings, port), setupToken)
  sendToParent({ type: 'ready', port })
})

/** @throws StartupError when the database cannot be used, or lacks the schema of this version */
async function checkInstallation({ db, settings }: Runtime): Promise<void> {
  const { DATABASE_URL = '', DATABASE_SESSION_URL } = settings
  const connectionLimit = await checkDatabase(DATABASE_URL, false, DATABASE_SESSION_URL)
  const isLimited = limitPool(db, connectionShare(connectionLimit, 'web'))
  await requireSchema(db)
  await measureDatabaseClock(db)
  if (isLimited) warnOperator(db, 'few_connections', hostname(), `the database allows ${connectionLimit} connections`)
}

/** Loads Next. Returns its handler, and the server whose upgrades it handles. */
async function startNext({ HOST, PORT }: Settings, stops: AsyncDisposableStack) {
  // Loaded only now, because React reads NODE_ENV while it loads.
  const { default: next } = await import('next')
  await readNextConfig()
  // Next handles every upgrade of the server that it is given; this one receives only those that the front forwards.
  const upgrades = createServer()
  const app = next({ dev, dir: ROOT, hostname: HOST, port: PORT, httpServer: upgrades })
  await app.prepare()
  stops.defer(() => app.close())
  return { handle: app.getRequestHandler(), upgrades }
}

/** Next prints to stdout, among the JSON lines, that it read its configuration, unless it was read before. */
async function readNextConfig(): Promise<void> {
  const require = createRequire(import.meta.url)
  const { default: loadConfig }: typeof import('next/dist/server/config.js') = require('next/dist/server/config.js')
  await loadConfig(dev ? PHASE_DEVELOPMENT_SERVER : PHASE_PRODUCTION_SERVER, resolve(ROOT))
}

/** Accepts no new connections and waits for the running requests. */
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
