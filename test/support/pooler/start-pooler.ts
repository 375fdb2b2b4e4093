import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { freePort } from '../processes/ports.ts'
import { until } from '../runs/worker-processes.ts'
import { startTransactionPooler, type TransactionPooler } from './transaction-pooler.ts'

/** The first version that keeps prepared statements in transaction mode. */
const [MAJOR, MINOR] = [1, 21]

/** Starts PgBouncer in transaction mode if it is installed and recent enough, otherwise the tests' own pooler. */
export async function startPooler(): Promise<TransactionPooler> {
  const options = ['max_prepared_statements = 200', 'server_round_robin = 1']
  return pgBouncer() === 'new' ? await startPgBouncer(options) : await startTransactionPooler()
}

/**
 * Starts poolers in transaction mode that do not keep prepared statements: the tests' own, in both orders of lending, and
 * PgBouncer of any version if it is installed.
 */
export async function startForgetfulPoolers(): Promise<TransactionPooler[]> {
  const own = [false, true].map((lendsLatest) => startTransactionPooler({ keepsPrepared: false, lendsLatest }))
  const installed = pgBouncer()
  const options = installed === 'new' ? ['max_prepared_statements = 0'] : []
  return await Promise.all([...own, ...(installed ? [startPgBouncer(options)] : [])])
}

/** Whether PgBouncer is installed, and which: one that can keep prepared statements is new. */
function pgBouncer(): 'new' | 'old' | null {
  try {
    const text = execFileSync('pgbouncer', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    const [, major, minor] = text.match(/(\d+)\.(\d+)/) ?? []
    return Number(major) > MAJOR || (Number(major) === MAJOR && Number(minor) >= MINOR) ? 'new' : 'old'
  } catch {
    return null
  }
}

async function startPgBouncer(options: string[]): Promise<TransactionPooler> {
  const { hostname, port, username, password } = new URL(inject('postgresUrl'))
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  const listenPort = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 6',
    ...options,
  ]
  writeFileSync(file, lines.join('\n'))
  chmodSync(folder, 0o755)
  // PgBouncer refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ['--user', 'nobody'] : []
  const child = spawn('pgbouncer', ['--quiet', ...asUser, file], { stdio: ['ignore', 'ignore', 'inherit'] })
  await until('PgBouncer to listen', async () => {
    const socket = connect(listenPort, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  })
  return {
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl)
      url.host = `127.0.0.1:${listenPort}`
      return url.toString()
    },
    refused: [],
    async close() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
