import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildDashboard } from '#server/process/dashboard-build.ts'
import { withDatabase } from '#test/bench/database.ts'
import { testRuntime } from '#test/support/api/api.ts'
import { launchChromium } from '#test/support/browser/chromium.ts'
import { startGaugedProcess } from '#test/support/stalls/gauged-process.ts'
import { signIn } from '#test/support/stalls/setup.ts'
import { createInstallation } from './installation.ts'
import { LOOKS, pagesOf, README_BYTES_MAX, README_FOLDER, README_LOOKS, README_PAGES, takePictures } from './pages.ts'

// `npm run screenshots [-- --to FOLDER] [--only NAME …] [--readme]`: fills an installation with a month of history, the
// same each time, and writes pictures of its pages in light, in dark and on a phone, or those of the README.

process.env.LOG_LEVEL ??= 'error'

const { values } = parseArgs({
  options: {
    to: { type: 'string' },
    only: { type: 'string', multiple: true },
    readme: { type: 'boolean', default: false },
  },
})
const set = values.readme
  ? { only: README_PAGES, to: README_FOLDER, looks: README_LOOKS, maxBytes: README_BYTES_MAX }
  : { only: [], to: '.screenshots', looks: LOOKS, maxBytes: Number.POSITIVE_INFINITY }
const { to = set.to, only = set.only } = values
const folder = resolve(to)

await buildDashboard(console.log, new AbortController().signal)
const data = await mkdtemp(join(tmpdir(), 'soundline-screenshots-'))
const environment = { DATA_DIR: data, SECRET_KEYS: `screenshots:${randomBytes(32).toString('hex')}` }
try {
  await withDatabase(async (db, url) => {
    const startedAt = performance.now()
    const installation = await createInstallation(testRuntime(db, environment), new Date())
    console.log(`filled a month in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
    const web = await startGaugedProcess('../../../server/commands/web.ts', {
      ...environment,
      DATABASE_URL: url,
      HOST: '127.0.0.1',
      PORT: '0',
    })
    const browser = await launchChromium()
    try {
      const pages = Object.entries(await pagesOf(db, installation))
      const chosen = pages.filter(([name]) => only.length === 0 || only.includes(name))
      const cookie = await signIn(db, installation.viewer, environment)
      const site = { origin: `http://127.0.0.1:${web.port}`, cookie }
      await takePictures(browser, site, Object.fromEntries(chosen), { ...set, folder })
      console.log(`wrote the pictures to ${folder}`)
    } finally {
      await browser.close()
      await web.kill()
    }
  })
} finally {
  await rm(data, { recursive: true, force: true })
}
