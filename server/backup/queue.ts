import type pg from 'pg'
import type { Source } from './manifest.ts'

// The job queue. Its tables belong to graphile-worker, whose release creates them, so a backup holds their content, not
// their storage format. Nothing public of it returns payloads or sets attempts, so this reads and fills the tables
// themselves. A job that a worker had taken is waiting again in the restored queue, as after the death of that worker.

const JOBS = 'queue_jobs'
const CRONTAB = 'queue_crontab'
const JOB_COLUMNS = 'payload priority run_at attempts max_attempts last_error created_at updated_at key revision flags'
const jobColumns = JOB_COLUMNS.split(' ')

/** The sources of the queue, with the query that reads each. */
export const QUEUE_SOURCES: (Source & { query: string })[] = [
  {
    name: JOBS,
    columns: ['task', 'queue', ...jobColumns],
    query: `select t.identifier, q.queue_name, ${jobColumns.map((column) => `j.${column}`).join(', ')}
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      left join graphile_worker._private_job_queues q on q.id = j.job_queue_id order by j.id`,
  },
  {
    name: CRONTAB,
    columns: ['identifier', 'known_since', 'last_execution'],
    query: 'select identifier, known_since, last_execution from graphile_worker._private_known_crontabs',
  },
]

/** Creates the tables that receive the sources of the queue, for this transaction. */
export async function openQueueTables(client: pg.ClientBase): Promise<void> {
  await client.query(`create temporary table ${JOBS} (id int generated always as identity, task text, queue text,
    payload json, priority int, run_at timestamptz, attempts int, max_attempts int, last_error text,
    created_at timestamptz, updated_at timestamptz, key text, revision int, flags jsonb) on commit drop`)
  await client.query(`create temporary table ${CRONTAB} (identifier text, known_since timestamptz,
    last_execution timestamptz) on commit drop`)
}

/** Replaces the content of the queue by what the tables received. */
export async function fillQueue(client: pg.ClientBase): Promise<void> {
  await client.query('delete from graphile_worker._private_jobs')
  await client.query('delete from graphile_worker._private_known_crontabs')
  await client.query(`insert into graphile_worker._private_tasks (identifier) select distinct task from ${JOBS}
    on conflict do nothing`)
  await client.query(`insert into graphile_worker._private_job_queues (queue_name)
    select distinct queue from ${JOBS} where queue is not null on conflict do nothing`)
  await client.query(`insert into graphile_worker._private_jobs (task_id, job_queue_id, ${jobColumns.join(', ')})
    select t.id, q.id, ${jobColumns.map((column) => `j.${column}`).join(', ')} from ${JOBS} j
    join graphile_worker._private_tasks t on t.identifier = j.task
    left join graphile_worker._private_job_queues q on q.queue_name = j.queue order by j.id`)
  await client.query(`insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    select identifier, known_since, last_execution from ${CRONTAB}`)
}
