import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Queryable } from '#db/client.ts'
import { type SendRoute, sendFlags } from './send-flags.ts'

/** Every job of the queue with the shape of its payload. The worker has one task file per name. */
export const JOBS = {
  /** Clears results, roll-ups and bodies of resources that were deleted. */
  clear: z.object({ organizationId: z.guid(), serviceIds: z.array(z.guid()) }),
  /** Queues the mails and webhook deliveries of an event. */
  notify: z.object({ eventId: z.guid() }),
  /** Sends one attempt of a webhook delivery. */
  deliver: z.object({ deliveryId: z.guid() }),
  /** Makes room ahead and clears what is past its time; also comes every hour by itself. */
  upkeep: z.object({}),
  /** Adds up the latencies of the last day's hours; comes by itself. */
  recent: z.object({}),
  /** Checks the verified domains that were not checked for a day; comes by itself. */
  domains: z.object({}),
  /** Sends one mail. */
  mail: z.object({ to: z.email(), subject: z.string(), text: z.string(), html: z.string().optional() }),
} as const

export type JobName = keyof typeof JOBS
export type JobPayload<N extends JobName> = z.output<(typeof JOBS)[N]>

export type JobOptions = {
  /** The queue itself holds one job per key. */
  key?: string
  runAt?: Date
  /** Lower is sooner; 0 unless said. */
  priority?: number
  maxAttempts?: number
  /** Of a job that sends something: such jobs are shared among organizations and receivers. */
  sends?: SendRoute
}

/** Adds a job in the transaction of the change that causes it; a mail by `enqueueMail`. */
export function enqueue<N extends Exclude<JobName, 'mail'>>(
  tx: Queryable,
  name: N,
  payload: JobPayload<N>,
  options: JobOptions = {},
): Promise<void> {
  return addJob(tx, name, payload, options)
}

/** Adds a mail in the share of whom it is sent for; null for what no organization asks for, such as a reset link. */
export function enqueueMail(
  tx: Queryable,
  organizationId: string | null,
  mail: JobPayload<'mail'>,
  options: Omit<JobOptions, 'sends'> = {},
): Promise<void> {
  return addJob(tx, 'mail', mail, { ...options, sends: { organizationId: organizationId ?? 'none', to: 'mail' } })
}

async function addJob<N extends JobName>(
  tx: Queryable,
  name: N,
  payload: JobPayload<N>,
  options: JobOptions,
): Promise<void> {
  await tx.execute(sql`select graphile_worker.add_job(
    identifier => ${name}::text,
    payload => ${JSON.stringify(JOBS[name].parse(payload))}::json,
    run_at => ${options.runAt?.toISOString() ?? null}::timestamptz,
    max_attempts => ${options.maxAttempts ?? 25}::int,
    job_key => ${options.key ?? null}::text,
    flags => ${options.sends ? `{${sendFlags(options.sends).all.join(',')}}` : null}::text[],
    priority => ${options.priority ?? 0}::int)`)
}
