import { organizations } from '#db/schema/organizations.ts'
import { systemMarks } from '#db/schema/system.ts'
import { operates } from '../../access.ts'
import { notFound } from '../../errors.ts'
import type { Marks } from '../../observe/system/marks.ts'
import { SystemOverview } from '../../schemas/system.ts'
import { router, sessionProcedure } from '../../trpc.ts'
import { describeSettings } from './describe-settings.ts'
import { readProcesses } from './read-processes.ts'
import { readStorage } from './read-storage.ts'
import { readWarnings } from './read-warnings.ts'
import { readWork } from './read-work.ts'

/** The owner of the organization that operates the installation. For everyone else the page does not exist. */
const operatorProcedure = sessionProcedure.use(async ({ ctx, next }) => {
  if (!ctx.actor.isOwner || (await ctx.db.$count(organizations, operates(ctx.actor))) === 0) throw notFound()
  return next({ ctx })
})

const overview = operatorProcedure
  .meta({ api: { errors: ['not_found'] } })
  .output(SystemOverview)
  .query(async ({ ctx }) => {
    const { db, settings } = ctx
    const [processes, work, storage, warnings, marks] = await Promise.all([
      readProcesses(db, settings),
      readWork(db),
      readStorage(db, settings, ctx.now()),
      readWarnings(db),
      db.select().from(systemMarks),
    ])
    const markOf = (name: keyof Marks) => marks.find((mark) => mark.name === name)
    const backup = markOf('backup')
    return {
      version: processes.find(({ kind, isAlive }) => kind === 'web' && isAlive)?.version ?? null,
      processes,
      work,
      storage,
      mail: {
        isConfigured: settings.SMTP_URL !== undefined,
        lastSentAt: markOf('mail')?.at.toISOString() ?? null,
        lastFailure: warnings.find(({ code }) => code === 'mail_failed') ?? null,
      },
      backup: backup ? { ...(backup.details as Marks['backup']), at: backup.at.toISOString() } : null,
      settings: describeSettings(settings),
      warnings,
    }
  })

/** The state of the installation, for those who operate it. */
export const systemRouter = router({ overview })
