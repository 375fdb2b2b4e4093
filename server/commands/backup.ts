import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { databaseNow } from '#db/clock.ts'
import type { Summary } from '../backup/manifest.ts'
import { sizeOfFile, writeBackup } from '../backup/write-backup.ts'
import { setMark } from '../observe/system/marks.ts'
import { messageOf, storeWarning } from '../observe/system/warnings.ts'
import { checkDatabase, requireSchema } from '../process/check-database.ts'
import { reachDatabase } from '../process/embedded-database.ts'
import { runOnce, StartupError } from '../process/lifecycle.ts'
import { programVersion } from '../process/program.ts'
import { settings } from '../process/settings.ts'
import { createProgress } from './progress.ts'
import { sizeText } from './size-text.ts'

// `npm run backup -- FILE [--without-bodies]`: writes the database and the bodies into one file, while the product runs.

await runOnce(async () => {
  const { file, withBodies } = readArguments()
  const current = settings()
  await using stops = new AsyncDisposableStack()
  const url = await reachDatabase(current, stops)
  await checkDatabase(current.DATABASE_URL ?? url, false, current.DATABASE_SESSION_URL)
  const db = openDatabase(url, { max: 1, name: 'soundline-backup' })
  stops.defer(() => closeDatabase(db))
  await requireSchema(db)
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => interrupted.abort(new StartupError('The backup was interrupted. No file was written.')))
  }
  const onProgress = createProgress()
  const now = await databaseNow(db)
  const options = { url, file, settings: current, release: programVersion(), withBodies, now, onProgress }
  const summary = await writeBackup({ ...options, signal: interrupted.signal }).catch(async (error: Error) => {
    if (!interrupted.signal.aborted) await noteFailure(db, error)
    throw error instanceof StartupError
      ? error
      : new StartupError(`The backup failed: ${error.message}. No file was written.`)
  })
  await report(db, file, summary)
})

function readArguments(): { file: string; withBodies: boolean } {
  const usage = new StartupError('Usage: npm run backup -- FILE [--without-bodies]')
  const options = { 'without-bodies': { type: 'boolean', default: false } } as const
  let parsed: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>
  try {
    parsed = parseArgs({ options, allowPositionals: true })
  } catch {
    throw usage
  }
  const [file, ...others] = parsed.positionals
  if (!file || others.length > 0) throw usage
  if (existsSync(file)) throw new StartupError(`${file} exists already: name another file`)
  if (!existsSync(dirname(file))) throw new StartupError(`${dirname(file)} does not exist`)
  return { file, withBodies: !parsed.values['without-bodies'] }
}

async function noteFailure(db: Db, error: Error): Promise<void> {
  await storeWarning(db, { code: 'backup_failed', subject: hostname(), detail: error.message }).catch(() => {})
}

async function report(db: Db, file: string, { rows, bodies }: Summary): Promise<void> {
  const bytes = await sizeOfFile(file)
  const count = Object.values(rows).reduce((sum, source) => sum + source.rows, 0)
  const details = { bytes, rows: count, bodies: bodies.count, missing: bodies.missing }
  const mark = { file: basename(file), host: hostname(), release: programVersion(), ...details }
  // The file is complete, whatever the database can store now.
  await setMark(db, 'backup', mark).catch((error) =>
    console.error(`The System page does not show this backup: ${messageOf(error)}`),
  )
  console.log(
    `Wrote ${file}: ${sizeText(bytes)}, ${count.toLocaleString('en')} rows, ${bodies.count.toLocaleString('en')} bodies.`,
  )
  if (bodies.missing > 0) {
    console.log(
      `${bodies.missing.toLocaleString('en')} response bodies were missing from the body store and are not in the backup.`,
    )
  }
  console.log('Keep SECRET_KEYS in another place: the file does not contain them, and a restore needs them.')
}
