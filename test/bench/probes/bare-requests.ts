import { type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { Db } from '#db/client.ts'
import { prepareRun } from '#server/record/prepared-run.ts'
import { insertResults } from '#server/record/result-statements.ts'
import { createOrganization, createProject, createService, createWorkspace } from '#test/support/factories.ts'
import { measureHere, type Side } from '../frame/alternate.ts'
import { copyRun } from '../results/finished-runs.ts'
import { inParallel } from './peers.ts'
import { createWholeRun } from './whole-run.ts'

// What Node's own client takes, without a script, assertions or a guard: no run in Node can take less.

const RUNS_PER_INSERT = 100

/** Sends one request on a new connection, and reads its response. */
export function bareRequest(protocol: 'http' | 'https', options: RequestOptions): Promise<void> {
  const request = protocol === 'http' ? requestPlain : requestSecure
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, agent: false }, (response) =>
      response.resume().on('end', resolve).on('error', reject),
    )
    sent.on('error', reject).end()
  })
}

/** Returns a side that sends bare requests to a port, and inserts the row of a run for each: no states, no roll-ups. */
export async function bareStoringSide(db: Db, port: number, count: number, concurrency: number): Promise<Side> {
  const service = await createService(
    db,
    await createProject(db, await createWorkspace(db, await createOrganization(db))),
  )
  const finished = await createWholeRun({ ca: [] })(`http://127.0.0.1:${port}/`)
  return async () => {
    const runs = Array.from({ length: count }, (_, i) =>
      prepareRun(copyRun(finished, service, new Date(Date.now() + i))),
    )
    return measureHere(async () => {
      await inParallel(count, concurrency, async (i) => {
        await bareRequest('http', { host: '127.0.0.1', port })
        const done = i + 1
        if (done % RUNS_PER_INSERT === 0) await db.execute(insertResults(runs.slice(done - RUNS_PER_INSERT, done)))
      })
      return count
    })
  }
}
