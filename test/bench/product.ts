import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '#server/process/program.ts'
import { freePort } from '#test/support/processes/ports.ts'

const HEALTHY_LIMIT_MS = 120_000

/** The product as `npm start` runs it. `seconds` is the time until it was healthy. */
export type Product = { program: ChildProcess; url: string; seconds: number; stop: () => Promise<void> }

/** Starts the built product, and waits until it is healthy. @throws Error when it ends or is not within two minutes */
export async function startProduct(folder: string, settings: Record<string, string> = {}): Promise<Product> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  const startedAt = performance.now()
  const program = spawn('sh', ['-c', scripts.start], {
    cwd: ROOT,
    env: { NODE_ENV: 'production', PATH, HOME: folder, DATA_DIR: folder, PORT: `${port}`, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await isHealthy(url))) {
    if (program.exitCode !== null) throw new Error(`npm start ended with ${program.exitCode}`)
    if (performance.now() - startedAt > HEALTHY_LIMIT_MS) {
      program.kill('SIGTERM')
      throw new Error('the product is not healthy')
    }
    await sleep(20)
  }
  const stop = async () => {
    if (program.exitCode !== null) return
    const ended = once(program, 'exit')
    program.kill('SIGTERM')
    await ended
  }
  return { program, url, seconds: (performance.now() - startedAt) / 1_000, stop }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health`)).ok
  } catch {
    return false
  }
}
