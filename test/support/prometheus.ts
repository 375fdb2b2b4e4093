import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { freePort } from './processes/ports.ts'
import { until } from './runs/worker-processes.ts'

/** A Prometheus that scrapes one endpoint. */
export type Prometheus = {
  /** Evaluates a query. @throws Error with Prometheus's reason for a query that it does not accept */
  query(expression: string): Promise<{ metric: Record<string, string> }[]>
  /** The rules that it evaluates, with the error of the last evaluation. */
  rules(): Promise<{ name: string; health: string; lastError?: string }[]>
  stop(): Promise<void>
}

export function isPrometheusInstalled(): boolean {
  return spawnSync('prometheus', ['--version'], { stdio: 'ignore' }).status === 0
}

/** Starts Prometheus, and waits until it has scraped `url` with the token at least once. */
export async function startPrometheus(target: { url: string; token: string; rules: string }): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const port = await freePort()
  const { host, pathname } = new URL(target.url)
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [target.rules],
    scrape_configs: [
      {
        job_name: 'soundline',
        metrics_path: pathname,
        authorization: { credentials: target.token },
        static_configs: [{ targets: [host] }],
      },
    ],
  }
  writeFileSync(join(folder, 'prometheus.yml'), stringify(config))
  const options = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ]
  const child = spawn('prometheus', options, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ask = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    const { status, data, error } = (await answer.json()) as { status: string; data: T; error?: string }
    if (status !== 'success') throw new Error(error)
    return data
  }
  const query: Prometheus['query'] = async (expression) => {
    const { result } = await ask<{ result: { metric: Record<string, string> }[] }>(
      `query?${new URLSearchParams({ query: expression })}`,
    )
    return result
  }
  await until('Prometheus to scrape', async () => (await query('up == 1').catch(() => [])).length > 0)
  return {
    query,
    rules: async () => {
      const { groups } = await ask<{ groups: { rules: { name: string; health: string; lastError?: string }[] }[] }>(
        'rules',
      )
      return groups.flatMap(({ rules }) => rules)
    },
    stop: () => stop(child, folder),
  }
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}
