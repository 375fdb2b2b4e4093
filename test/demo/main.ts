import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { applyMigrations } from '#server/process/check-database.ts'
import { buildDashboard } from '#server/process/dashboard-build.ts'
import { requireDatabaseUrl, runEmbeddedDatabase } from '#server/process/embedded-database.ts'
import { childEnvironment } from '#server/process/environment.ts'
import { runProgram, STOP_LIMIT_MS, StartupError } from '#server/process/lifecycle.ts'
import { checkAddress, listen, publicAddress } from '#server/process/listen.ts'
import { ROOT } from '#server/process/program.ts'
import { parseSettings } from '#server/process/settings.ts'
import { supervise } from '#server/process/supervise.ts'
import { type Demo, openDemo, storeDemo } from './folder.ts'
import { fillDemo } from './organization.ts'
import { createDemoTarget } from './target.ts'

// `npm run demo [-- --days N]`: the product with the month of the screenshots, on a data folder of its own. The services
// probe a server of this process, so they go on passing and failing.

const { values } = parseArgs({
  options: { days: { type: 'string', default: '30' }, under: { type: 'string' } },
})
/** The agents of the month. `npm start` runs the first one's worker. */
const [AGENT, OTHER_AGENT] = ['eu-west', 'us-east']

await runProgram(async (stops) => {
  const days = Number(values.days)
  // A part of a day is for tests.
  if (!(days > 0 && days <= 30)) throw new StartupError('--days: must be more than 0 and at most 30')
  const demo = openDemo(process.env.DATA_DIR || '.demo')
  const environment = {
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
    HOST: process.env.HOST || '127.0.0.1',
    DATA_DIR: demo.folder,
    // Of an installation, which a demo must not touch or send mail for.
    ...{ DATABASE_URL: '', DATABASE_SESSION_URL: '', DATABASE_READ_URL: '', SMTP_URL: '' },
    SECRET_KEYS: demo.secretKeys,
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
    TRUSTED_DOMAIN_MODE: 'true',
    AGENT_SLUG: AGENT,
  }
  Object.assign(process.env, environment)
  const settings = parseSettings(process.env)
  await checkAddress(settings.PORT, settings.HOST)
  const target = createDemoTarget()
  stops.defer(() => void target.close())
  await listen(target, demo.targetPort, '127.0.0.1', `targetPort in ${join(demo.folder, 'demo.json')}`)

  const abort = new AbortController()
  stops.defer(() => abort.abort())
  await buildDashboard(console.log, abort.signal)
  if (!demo.isFilled) await fill(demo, environment, days)

  const product = supervise('start', join(ROOT, 'server/commands/start.ts'), [])
  stops.defer(product.stop)
  product.start(childEnvironment({}))
  const { port } = await product.ready
  const worker = supervise('worker', join(ROOT, 'worker/main.ts'), [])
  stops.defer(worker.stop)
  worker.start(childEnvironment({ DATABASE_URL: requireDatabaseUrl(settings), AGENT_SLUG: OTHER_AGENT }))
  await worker.ready

  // Passkeys need an address with a name.
  const address = publicAddress(settings, port ?? settings.PORT).replace('127.0.0.1', 'localhost')
  console.log(`
The demo is at  ${address}
Email           ${demo.email}
Password        ${demo.password}

Its data is in ${demo.folder}. Ctrl-C stops it, and the next start goes on.`)
}, 4 * STOP_LIMIT_MS)

async function fill(demo: Demo, environment: Record<string, string>, days: number): Promise<void> {
  console.log(`filling in ${days} days of history: about a minute, once`)
  await using stops = new AsyncDisposableStack()
  const url = await runEmbeddedDatabase(demo.folder, stops)
  await applyMigrations(url)
  const db = openDatabase(url, { max: 8, name: 'soundline-demo' })
  stops.defer(() => closeDatabase(db))
  await fillDemo(db, demo, environment, days)
  storeDemo({ ...demo, isFilled: true })
}
