import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import { and, asc, inArray } from '#db/drizzle.cjs'
import { matchesId, matchesRow, type RowKey } from '#db/row-match.ts'
import { alertEvents } from '#db/schema/alerts.ts'
import { variables } from '#db/schema/scoped.ts'
import { toAlertSettings } from '../alerts/alerts/alert-settings.ts'
import { readEventPage } from '../alerts/alerts/event-page.ts'
import { previewAlerting } from '../alerts/alerts/preview.ts'
import { audit } from '../audit.ts'
import type { ActorContext } from '../context.ts'
import { fieldInvalid } from '../errors.ts'
import { AlertSettings, AlertSettingsChange, ServiceAlerting } from '../schemas/alerts/alerting.ts'
import { AlertEventPage, AlertEventQuery } from '../schemas/alerts/events.ts'
import { SYSTEM_VARIABLES, type SystemVariableKey } from '../schemas/alerts/system-variables.ts'
import { lockService } from '../services/lock-service.ts'
import { router, serviceProcedure } from '../trpc.ts'

const preview = serviceProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/alerting',
      operationId: 'getServiceAlerting',
      summary: 'Read who would be notified if the service failed now',
      description:
        'The members and webhooks that would be notified, each with the reasons, and the silences that would suppress mails.',
      tags: ['Services'],
    },
  })
  .output(ServiceAlerting)
  .query(({ ctx }) => previewAlerting(ctx, ctx.service))

/** Lists what happened to a service, newest first, with what became of each event for its recipients. */
const events = serviceProcedure('read')
  .meta({ api: { errors: ['not_found'] } })
  .input(AlertEventQuery)
  .output(AlertEventPage)
  .query(({ ctx, input }) => readEventPage(ctx, input, matchesRow(alertEvents.serviceId, ctx.service)))

/** Changes the system variables of a service together. The audit log has an entry for each that changed. */
const configure = serviceProcedure('write')
  .meta({ api: { errors: ['field_invalid', 'not_found'] } })
  .input(AlertSettingsChange)
  .output(AlertSettings)
  .mutation(({ ctx, input: { id: _, ...wanted } }) =>
    ctx.db.transaction(async (tx) => {
      const { service } = ctx
      // Before its variables, as a deletion does.
      await lockService(tx, service)
      const rows = await lockSettings(tx, service)
      const before = toAlertSettings(rows.filter((row) => row.systemType !== null))
      const changed = KEYS.filter((key) => wanted[key] !== before[key])
      for (const key of changed) {
        const held = rows.find((row) => row.key === key)
        if (held && held.systemType === null) throw fieldInvalid(key, TAKEN)
        const id = await writeSetting(tx, ctx, held?.id, key, String(wanted[key]))
        await audit(tx, ctx, {
          action: 'variable.update',
          entityType: 'variable',
          entityId: id,
          entityName: key,
          details: {
            scope: 'service',
            resourceId: service.id,
            resourceName: service.name,
            type: 'metric',
            value: { from: String(before[key]), to: String(wanted[key]) },
          },
        })
      }
      if (changed.length === 0) {
        await audit(tx, ctx, {
          action: 'service.update',
          entityType: 'service',
          entityId: service.id,
          entityName: service.name,
          details: { changed: false },
        })
      }
      return wanted
    }),
  )

export const alertsRouter = router({ preview, events, configure })

const KEYS = Object.keys(SYSTEM_VARIABLES) as SystemVariableKey[]

/** Before this system variable existed, a member could give its name to a variable of their own, which was kept. */
const TAKEN = 'is the name of another variable of this service: delete that variable first'

type SettingRow = Pick<typeof variables.$inferSelect, 'id' | 'key' | 'value' | 'systemType'>

/** Returns the variables with the names of the settings, locked in a fixed order. */
function lockSettings(tx: Tx, service: RowKey<string>): Promise<SettingRow[]> {
  return tx
    .select({ id: variables.id, key: variables.key, value: variables.value, systemType: variables.systemType })
    .from(variables)
    .where(and(matchesRow(variables.serviceId, service), inArray(variables.key, KEYS)))
    .orderBy(asc(variables.id))
    .for('update')
}

/** Returns the id of the variable. */
async function writeSetting(
  tx: Tx,
  ctx: ActorContext & { service: { id: string; organizationId: string } },
  heldId: string | undefined,
  key: SystemVariableKey,
  value: string,
): Promise<string> {
  const now = ctx.now()
  if (heldId !== undefined) {
    await tx
      .update(variables)
      .set({ value, updatedAt: now })
      .where(matchesId(variables.id, ctx.actor.organizationId, heldId))
    return heldId
  }
  const { systemType } = SYSTEM_VARIABLES[key]
  const { id: serviceId, organizationId } = ctx.service
  const row = { id: uuidv7(), organizationId, serviceId, key, value, systemType, createdAt: now, updatedAt: now }
  await tx.insert(variables).values({ ...row, type: 'metric' })
  return row.id
}
