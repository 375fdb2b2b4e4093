import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '#test/support/processes/ports.ts'
import type { Side } from '../frame/alternate.ts'
import { cpuSecondsOf } from '../frame/cpu-time.ts'

// Other programs that send probes, from Debian. A benchmark runs without those that are not installed.

const CONCURRENCY = 16
const TICKS_PER_SECOND = 100

/** Returns whether a program is installed, and says how to install it otherwise. */
export async function isInstalled(program: string): Promise<boolean> {
  const isFound = await promisify(execFile)('which', [program]).then(
    () => true,
    () => false,
  )
  if (!isFound) console.log(`Left out: ${program} is not installed. On Debian: apt-get install ${program}`)
  return isFound
}

/** `hey` with a new connection for each request. Its CPU time is that of the whole process. */
export function heySide(url: string, count: number): Side {
  return async () => {
    const startedAt = performance.now()
    // The shell's own line has the CPU time of the children that it waited for, in ticks.
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      'hey -disable-keepalive -n "$1" -c "$2" "$3" >/dev/null && cat /proc/$$/stat',
      'sh',
      String(count),
      String(CONCURRENCY),
      url,
    ])
    const fields = stdout.slice(stdout.lastIndexOf(')') + 2).split(' ')
    const cpuSeconds = (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
    return { count, seconds: (performance.now() - startedAt) / 1_000, cpuSeconds }
  }
}

const BLACKBOX_CONFIG = `
modules:
  bench:
    prober: http
    timeout: 30s
    http:
      preferred_ip_protocol: ip4
      valid_status_codes: [200]
      fail_if_body_not_matches_regexp: ["ok"]
      fail_if_header_not_matches: [{ header: Content-Type, regexp: json }]
`

/** Starts `blackbox_exporter` with as many assertions as the script of `whole-run.ts` has. */
export async function startBlackbox(): Promise<{
  side: (url: string, count: number) => Side
  stop: () => Promise<void>
}> {
  const folder = await mkdtemp(join(tmpdir(), 'soundline-bench-blackbox-'))
  const config = join(folder, 'blackbox.yml')
  await writeFile(config, BLACKBOX_CONFIG)
  const port = await freePort()
  const args = [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error']
  const child = spawn('prometheus-blackbox-exporter', args, { stdio: 'ignore' })
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })
  const probe = (url: string) =>
    read(agent, `http://127.0.0.1:${port}/probe?module=bench&target=${encodeURIComponent(url)}`)
  const side = (url: string, count: number): Side => {
    return async () => {
      const pid = child.pid as number
      const cpuBefore = await cpuSecondsOf(pid)
      const startedAt = performance.now()
      await inParallel(count, CONCURRENCY, async () => {
        if (!(await probe(url)).includes('\nprobe_success 1')) throw new Error('blackbox_exporter did not succeed')
      })
      const seconds = (performance.now() - startedAt) / 1_000
      return { count, seconds, cpuSeconds: (await cpuSecondsOf(pid)) - cpuBefore }
    }
  }
  for (let tries = 0; tries < 50; tries++) {
    if (await read(agent, `http://127.0.0.1:${port}/-/healthy`).catch(() => null)) break
    await sleep(100)
  }
  return {
    side,
    stop: async () => {
      agent.destroy()
      child.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Does `work` `count` times, `concurrency` at once. */
export async function inParallel(
  count: number,
  concurrency: number,
  work: (i: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < count) await work(next++)
    }),
  )
}

function read(agent: Agent, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve(text))
    })
      .on('error', reject)
      .end()
  })
}
