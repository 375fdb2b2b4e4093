import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#server/process/program.ts'
import type { Finding } from './part.ts'

// Statements that cannot know the organization. They still may not join tables of organizations without it.

/** By a column of their conditions. */
const BY_COLUMN: { columns: string[]; why: string }[] = [
  {
    columns: ['api_keys.digest', 'invitations.token_digest', 'project_tokens.digest'],
    why: 'the digest of a key or a token tells the organization',
  },
  {
    columns: ['memberships.user_id', 'api_keys.user_id'],
    why: 'an account has memberships and keys in several organizations',
  },
  {
    columns: ['runs.state', 'runs.lease_until', 'runs.worker_id', 'draft_runs.state', 'schedules.next_run_at'],
    why: 'the queue and the schedules serve all organizations',
  },
  {
    columns: [
      'alert_messages.mail_id',
      'alert_messages.silenced_until',
      'certificates.not_after',
      'deletions.created_at',
      'domains.last_checked_at',
      'incidents.closed_at',
      'incidents.reminded_at',
      'service_states.folded_until',
    ],
    why: 'upkeep looks for what is due in all organizations',
  },
  {
    columns: [
      'deleted_rows.sealed',
      'idempotent_answers.sealed',
      'run_requests.sealed',
      'variables.sealed',
      'webhooks.sealed',
      'webhook_deliveries.sent_body',
      'webhook_deliveries.response_body',
    ],
    why: 'the keys of the installation change for all organizations',
  },
  { columns: ['memberships.id'], why: 'the signed link of a mail tells the membership' },
  {
    columns: ['lost_agents.agent_id', 'service_agents.agent_id', 'runs.agent_id'],
    why: 'several organizations may use an agent',
  },
]

/** By their text. */
const BY_TEXT: { pattern: RegExp; why: string }[] = [
  {
    pattern: /^\s*delete from "\w+" where ctid = any\(array\(/,
    why: 'upkeep deletes what is old, in all organizations',
  },
  { pattern: /^\s*delete from lost_agents l\b/, why: 'several organizations may use an agent' },
  {
    pattern: /^\s*with recursive next\(id\) as \(/,
    why: 'the picker goes from one organization of the queue to the next',
  },
  { pattern: /^\s*select \(select count\(\*\) from incidents/, why: 'gauges of the installation' },
]

/** The statements of migrations, which change the rows of all organizations. */
const MIGRATIONS = new Set(
  globSync(join(ROOT, 'db/migrations/*.sql')).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('--> statement-breakpoint')
      .map((text) => text.trim()),
  ),
)

export function isMigration(text: string): boolean {
  return MIGRATIONS.has(text.trim())
}

/** Whether a statement with this finding may serve several organizations. */
export function isAcross({ kind, columns }: Finding, text: string): boolean {
  if (BY_TEXT.some(({ pattern }) => pattern.test(text))) return true
  return kind === 'open' && BY_COLUMN.some((row) => row.columns.some((column) => columns.has(column)))
}
