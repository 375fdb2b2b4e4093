import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { until } from '../runs/worker-processes.ts'
import { freePort } from './ports.ts'

export type Pooler = {
  /** Returns the URL through the pooler of a database. */
  urlOf: (databaseUrl: string) => string
  close: () => Promise<void>
}

/** Starts PgBouncer in transaction mode. It keeps no prepared statements. */
export async function startPooler(): Promise<Pooler> {
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
    'server_round_robin = 1',
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
    async close() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
