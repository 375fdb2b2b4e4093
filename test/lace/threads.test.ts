import type { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { RECORD_BUDGET } from '#server/language/lace/evaluation/assertion-log.ts'
import type { ChainResult, Task } from '#server/language/lace/evaluation/task.ts'
import { TaskAborted, ThreadPool, threads } from '#server/language/lace/executor/thread-pool.ts'
import { runScript } from '#server/language/lace/executor.ts'
import { parseScript } from '#server/language/lace/parser.ts'
import type { TransportResponse } from '#server/language/lace/transport.ts'

function answering(body: string): TransportResponse {
  const timings = { responseTimeMs: 1, dnsMs: 0, connectMs: 0, tlsMs: 0, ttfbMs: 0, transferMs: 0 }
  const bytes = Buffer.from(body)
  const headers = { 'content-type': 'application/json' }
  const dns = { resolvedIps: [], resolvedIp: null }
  const rest = { timings, dns, tls: null, tlsWarning: null }
  return { status: 200, statusText: 'OK', headers, body: bytes, sizeBytes: bytes.length, ...rest }
}

function chainTask(conditions: string, body: string): Task {
  const { ast } = parseScript(`get("http://a/").assert({ expect: [${conditions}] })`)
  return {
    kind: 'chain',
    call: ast!.calls[0]!,
    received: answering(body),
    requestUrl: 'http://a/',
    redirects: [],
    limits: { recordBudget: RECORD_BUDGET, storeRemaining: 1_000, lookahead: 0 },
    environment: { variables: {}, runVars: {}, prev: null, scopes: [] },
    steps: 1e9,
  }
}

describe('a thread', () => {
  test('returns the same result as inline evaluation, for any values', async () => {
    const body = '{"__proto__": {"x": 1}, "list": [1, "a", null, {"constructor": 2}], "text": "\\ud83d\\ude00"}'
    const task = chainTask('this.body.__proto__.x eq 1, this.body.list, this.body.text eq "😀"', body)
    const { value } = await threads.perform(task, 'one', null)
    const checked = value as ChainResult
    expect(checked.assertions.map((one) => one.outcome)).toEqual(['passed', 'failed', 'passed'])
    expect(checked.assertions[1]).toMatchObject({ actualLhs: [1, 'a', null, { constructor: 2 }] })
  })

  test('returns only the outcome, and is used again after a task that ran out of steps', async () => {
    const exhausted = await threads.perform({ ...chainTask('this.body eq 1', '[1]'), steps: 10 }, 'one', null)
    expect(exhausted).toMatchObject({ value: null, error: null, stepsLeft: -1 })
    const again = await threads.perform(chainTask('this.body eq [1]', '[1]'), 'one', null)
    expect(again.value).toMatchObject({ passed: true })
  })

  test('is terminated when its task takes too long or too much memory, and the next task gets another thread', async () => {
    const long = chainTask(Array(100).fill('includes($a, $b)').join(), '[]')
    const a = `${'a'.repeat(400_000)}b${'a'.repeat(400_000)}`
    long.environment.variables = { a, b: 'a'.repeat(4_000_000) }
    const shortPool = new ThreadPool({ cpuMs: 600 })
    await expect(shortPool.perform({ ...long, steps: 1e12 }, 'one', null)).rejects.toEqual(new TaskAborted('time'))
    const small = new ThreadPool({ heapMb: 24 })
    const large = chainTask('this.body eq 1', `[${'[],'.repeat(1_000_000)}1]`)
    await expect(small.perform(large, 'one', null)).rejects.toEqual(new TaskAborted('memory'))
    for (const pool of [shortPool, small]) {
      expect((await pool.perform(chainTask('1 eq 1', ''), 'one', null)).value).toMatchObject({ passed: true })
    }
  })

  test('is aborted with the run that waits for it', async () => {
    const stop = new AbortController()
    const task = chainTask('this.body eq 1', `[${'1,'.repeat(500_000)}1]`)
    const waiting = [threads.perform(task, 'one', stop.signal), threads.perform(task, 'one', stop.signal)]
    stop.abort(new Error('the run was stopped'))
    for (const one of waiting) await expect(one).rejects.toThrow('the run was stopped')
  })

  test('does not end the process when it fails while idle', async () => {
    const pool = new ThreadPool({ heapMb: 64 })
    await pool.perform(chainTask('1 eq 1', ''), 'one', null)
    const { idle } = pool as unknown as { idle: { thread: Worker }[] }
    expect(idle[0]!.thread.emit('error', new Error('out of memory'))).toBe(true)
    expect(idle).toEqual([])
    expect((await pool.perform(chainTask('1 eq 1', ''), 'one', null)).value).toMatchObject({ passed: true })
  })

  test('is available to other owners, even if one owner has many tasks', async () => {
    const order: string[] = []
    const long = chainTask('this.body eq 1', `[${'[],'.repeat(150_000)}1]`)
    const asked = Array.from({ length: 8 }, () =>
      threads.perform(long, 'greedy', null).then(() => order.push('greedy')),
    )
    const other = threads.perform(chainTask('this.body eq [1]', '[1]'), 'modest', null).then(() => order.push('modest'))
    await Promise.all([...asked, other])
    expect(order).toHaveLength(9)
    expect(order.indexOf('modest')).toBeLessThan(6)
  })

  test('performs tasks that exceed the inline limit, and the run continues', async () => {
    const { ast } = parseScript(
      'get("http://a/").store({ "$$n": this.size, "$$first": this.body }) get("http://a/").assert({ expect: [$$n eq 1] })',
    )
    const list = JSON.stringify(Array.from({ length: 200_000 }, (_, i) => i))
    const result = await runScript({ ast: ast!, transport: async () => answering(list) })
    expect(result.calls[0]).toMatchObject({ outcome: 'success', warnings: [expect.stringContaining('`$$first`')] })
    expect(result).toMatchObject({ outcome: 'failure', runVars: { n: list.length } })
  })
})
