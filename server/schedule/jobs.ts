import { z } from 'zod'
import type { Queryable } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { type SendRoute, sendFlags } from './send-flags.ts'

/** The jobs of the queue with the schemas of their payloads. The worker has one task file per job. */
export const JOBS = {
  /** Deletes the results, roll-ups and bodies of deleted services. */
  clear: z.object({ organizationId: z.guid(), serviceIds: z.array(z.guid()) }),
  /** Queues the mails and webhook deliveries of an event. */
  notify: z.object({ organizationId: z.guid(), eventId: z.guid() }),
  /** Sends one attempt of a webhook delivery. */
  deliver: z.object({ organizationId: z.guid(), deliveryId: z.guid() }),
  /** Closes alerts of incidents whose messages a webhook no longer gets. `sealed` is its configuration in base64. */
  close: z.object({
    organizationId: z.guid(),
    webhookId: z.guid(),
    preset: z.string(),
    sealed: z.string(),
    alerts: z.array(z.object({ incidentId: z.guid(), serviceId: z.guid(), serviceName: z.string() })),
  }),
  /** Creates partitions and deletes expired data. Also runs every hour. */
  upkeep: z.object({}),
  /** Reminds of open incidents that are not acknowledged. Runs on a schedule only. */
  remind: z.object({}),
  /** Moves maintenances with a rule to their next time. Runs on a schedule only. */
  maintenances: z.object({}),
  /** Checks the verified domains that were not checked for a day. Runs on a schedule only. */
  domains: z.object({}),
  /** Stores events for certificates that expire soon. Runs on a schedule only. */
  certificates: z.object({}),
  /** Stores events for agents that are lost or back. Runs on a schedule only. */
  agents: z.object({}),
  /** Takes samples and looks for problems, for the System page. Runs on a schedule only. */
  system: z.object({}),
  /** Sends one mail. */
  mail: z.object({
    to: z.email(),
    subject: z.string(),
    text: z.string(),
    html: z.string().optional(),
    /** Message ids with their angle brackets: of this mail, and of the first mail of its thread. */
    messageId: z.string().optional(),
    inReplyTo: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    /** The alert messages that the mail carries. Their state says whether the mail server accepted it. */
    alert: z.object({ organizationId: z.guid(), mailId: z.guid(), membershipId: z.guid() }).optional(),
  }),
  /** Sends a member the messages that were collected about a project; null: about agents. */
  digest: z.object({ organizationId: z.guid(), membershipId: z.guid(), projectId: z.guid().nullable() }),
  /** Sends a member, whose quiet hours end, one mail with what failed in them and still does. */
  quiet: z.object({ organizationId: z.guid(), membershipId: z.guid() }),
} as const

export type JobName = keyof typeof JOBS
export type JobPayload<N extends JobName> = z.output<(typeof JOBS)[N]>

const MAX_ATTEMPTS = 25

export type JobOptions = {
  /** The queue holds at most one job per key. */
  key?: string
  /** Whether a waiting job of the same key keeps its `runAt`. By default it is replaced. */
  keepsRunAt?: boolean
  runAt?: Date
  /** Lower runs sooner. Default 0. */
  priority?: number
  maxAttempts?: number
  /** Set for jobs that send something: the worker serves organizations and receivers in turn. */
  sends?: SendRoute
}

/** Adds a job in the transaction of the change that causes it. For mails there is `enqueueMail`. */
export function enqueue<N extends Exclude<JobName, 'mail'>>(
  tx: Queryable,
  name: N,
  payload: JobPayload<N>,
  options: JobOptions = {},
): Promise<void> {
  return addJob(tx, name, payload, options)
}

/** Adds jobs with new keys, in one statement: four times as fast as one at a time. */
export async function enqueueAll<N extends Exclude<JobName, 'mail'>>(
  tx: Queryable,
  name: N,
  jobs: { payload: JobPayload<N>; key: string }[],
): Promise<void> {
  const specs = jobs.map(({ payload, key }) => ({
    ...{ identifier: name, payload: JOBS[name].parse(payload), job_key: key, max_attempts: MAX_ATTEMPTS },
  }))
  await tx.execute(sql`select from graphile_worker.add_jobs(array(
    select s from jsonb_populate_recordset(null::graphile_worker.job_spec, ${JSON.stringify(specs)}::jsonb) s))`)
}

/** Adds a mail on behalf of an organization; null for mails without one, such as a password reset link. */
export function enqueueMail(
  tx: Queryable,
  organizationId: string | null,
  mail: JobPayload<'mail'>,
  options: Omit<JobOptions, 'sends'> = {},
): Promise<void> {
  return addJob(tx, 'mail', mail, {
    ...options,
    sends: { organizationId: organizationId ?? 'none', to: 'mail' },
  })
}

async function addJob<N extends JobName>(
  tx: Queryable,
  name: N,
  payload: JobPayload<N>,
  options: JobOptions,
): Promise<void> {
  const add = async () => {
    const [job] = await tx.execute<{ id: string | null }>(sql`select id from graphile_worker.add_job(
      identifier => ${name}::text,
      payload => ${JSON.stringify(JOBS[name].parse(payload))}::json,
      run_at => ${options.runAt?.toISOString() ?? null}::timestamptz,
      max_attempts => ${options.maxAttempts ?? MAX_ATTEMPTS}::int,
      job_key => ${options.key ?? null}::text,
      flags => ${options.sends ? `{${sendFlags(options.sends).all.join(',')}}` : null}::text[],
      priority => ${options.priority ?? 0}::int,
      job_key_mode => ${options.keepsRunAt ? 'preserve_run_at' : 'replace'})`)
    return job?.id
  }
  // A worker took the job of this key while the statement ran, and may miss what the transaction stores. The second
  // statement finds it taken, and adds another.
  if ((await add()) || !options.keepsRunAt || (await add())) return
  throw new Error(`The job ${options.key} started meanwhile`)
}
