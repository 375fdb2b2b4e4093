import type { CronItem } from 'graphile-worker'

/** The jobs that run periodically. */
export const CRONTAB: CronItem[] = [
  // One job, even if several hours were missed.
  { task: 'upkeep', match: '7 * * * *', options: { jobKey: 'upkeep', maxAttempts: 5 } },
  // One batch per job: the batches of a day hold far more domains than there are.
  { task: 'domains', match: '*/10 * * * *', options: { jobKey: 'domains', maxAttempts: 1 } },
  // A missed minute is not made up for: the next reminder says how long the service has been down.
  { task: 'remind', match: '* * * * *', options: { jobKey: 'remind', maxAttempts: 1 } },
  { task: 'maintenances', match: '* * * * *', options: { jobKey: 'maintenances', maxAttempts: 1 } },
  { task: 'agents', match: '* * * * *', options: { jobKey: 'agents', maxAttempts: 1 } },
  { task: 'certificates', match: '*/5 * * * *', options: { jobKey: 'certificates', maxAttempts: 1 } },
  { task: 'system', match: '*/5 * * * *', options: { jobKey: 'system', maxAttempts: 1 } },
]
