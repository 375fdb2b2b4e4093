import type { TaskList } from 'graphile-worker'
import type { Db } from '#db/client.ts'
import type { Announcer } from '#server/live/announce.ts'
import type { Settings } from '#server/process/settings.ts'
import type { Vault } from '#server/vault.ts'
import { createTransport, type TransportOptions } from './http/client.ts'
import type { Liveness } from './liveness.ts'
import { CRONTAB } from './queue/crontab.ts'
import { type Queue, startQueue } from './queue/queue.ts'
import { sampleAgents } from './tasks/agent-hours.ts'
import { warnOfCertificates } from './tasks/certificate-warnings.ts'
import { checkDomains } from './tasks/check-domains.ts'
import { clearServices } from './tasks/clear-services.ts'
import { sendCollected } from './tasks/collect-mails.ts'
import { createAlertCloser } from './tasks/deliveries/close-alerts.ts'
import { createDeliverer, RESPONSE_MAX_BYTES } from './tasks/deliveries/deliver.ts'
import { endFlapping } from './tasks/end-flapping.ts'
import { createMailer } from './tasks/mail.ts'
import { sendQuietDigest } from './tasks/mail-digests.ts'
import { moveMaintenances } from './tasks/move-maintenances.ts'
import { notify } from './tasks/notify.ts'
import { remind } from './tasks/remind.ts'
import { upkeep } from './tasks/upkeep.ts'
import { watchAgents } from './tasks/watch-agents.ts'
import { watchSystem } from './tasks/watch-system.ts'

/** Webhook deliveries at the same time, in addition to runs: enough that one organization may hold more than thirty. */
const [DELIVERIES_MIN, DELIVERIES_MAX] = [5, 50]
/** Mails at the same time, as a share of that number, and at most. */
const [MAILS_SHARE, MAILS_MAX] = [0.2, 4]
/** Other jobs at the same time: fewer than database connections, because they need one most of the time. */
const JOBS_MAX = 8

/** The settings with those that a worker requires. */
export type WorkerSettings = Settings & {
  DATABASE_URL: NonNullable<Settings['DATABASE_URL']>
  SECRET_KEYS: NonNullable<Settings['SECRET_KEYS']>
  /** The most connections that the job queues may open, if the database allows few. */
  queueConnections?: number
}

type Options = Pick<TransportOptions, 'allowedNetworks' | 'ca'> & {
  db: Db
  settings: WorkerSettings
  vault: Vault
  announcer: Announcer
  canTrustSilence: Liveness['canTrustSilence']
  onTaken: (task: string) => void
}

/** Starts the two job queues of a worker, so that jobs that send and other jobs do not wait for each other. */
export async function startQueues(options: Options): Promise<Queue[]> {
  const { settings, onTaken } = options
  const concurrency = settings.WORKER_CONCURRENCY ?? DELIVERIES_MAX
  const deliveriesMax = Math.min(DELIVERIES_MAX, Math.max(DELIVERIES_MIN, concurrency))
  const mailsMax = Math.min(MAILS_MAX, Math.floor(deliveriesMax * MAILS_SHARE))
  const queue = {
    databaseUrl: settings.DATABASE_SESSION_URL ?? settings.DATABASE_URL,
    connections: settings.queueConnections && Math.floor(settings.queueConnections / 2),
    onTaken,
  }
  return [
    await startQueue({
      ...queue,
      tasks: jobsOf(options),
      concurrency: Math.min(JOBS_MAX, deliveriesMax),
      cron: CRONTAB,
    }),
    await startQueue({
      ...queue,
      tasks: sendsOf(options),
      concurrency: deliveriesMax + mailsMax,
      sendingMax: { webhook: deliveriesMax, mail: mailsMax },
    }),
  ]
}

function jobsOf({ db, settings, vault, canTrustSilence }: Options): TaskList {
  const mailing = { settings, vault }
  return {
    agents: async () => {
      await watchAgents(db, canTrustSilence)
      await sampleAgents(db)
    },
    certificates: () => warnOfCertificates(db),
    clear: (payload) => clearServices(db, settings, payload),
    maintenances: () => moveMaintenances(db),
    remind: async () => {
      await endFlapping(db)
      await remind(db)
    },
    domains: () => checkDomains(db, settings),
    system: () => watchSystem(db, settings),
    upkeep: () => upkeep(db, settings),
    notify: (payload) => notify(db, mailing, payload),
    digest: (payload) => sendCollected(db, mailing, payload),
    quiet: (payload) => sendQuietDigest(db, mailing, payload),
  }
}

function sendsOf({ db, settings, vault, announcer, allowedNetworks, ca }: Options): TaskList {
  const sending = { db, vault, transport: createTransport({ allowedNetworks, ca, excerptBytes: RESPONSE_MAX_BYTES }) }
  return {
    deliver: createDeliverer({ ...sending, baseUrl: settings.BASE_URL, announcer }),
    close: createAlertCloser(sending),
    mail: createMailer(db, settings, announcer),
  }
}
