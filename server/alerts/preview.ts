import type { Queryable } from '#db/client.ts'
import type { ActorContext } from '../context.ts'
import { type AlertRecipient, RECIPIENTS_MAX, type ServiceAlerting } from '../schemas/alerts/alerting.ts'
import { showMember } from './explanations.ts'
import { findFirstListeners, type Recipient } from './listeners.ts'
import { findBoundWebhooks, findOwner, findSilences, type ServiceLocation } from './recipients.ts'
import { readAlertSettings } from './settings.ts'
import { type Suppression, silencedNow } from './silencing.ts'

type Previewed = Omit<AlertRecipient, 'silence'> & { silenceId: string | null }
export type Preview = Omit<ServiceAlerting, 'recipients'> & { recipients: Previewed[] }

/**
 * Returns who would be notified if the service failed now. `silenceId` is set for the caller's own silence only. The caller
 * has checked that the actor may read the service.
 */
export async function previewAlerting(
  db: Queryable,
  ctx: Pick<ActorContext, 'actor' | 'settings' | 'now'>,
  location: ServiceLocation,
): Promise<Preview> {
  const { actor } = ctx
  const [settings, listeners, webhooks] = await Promise.all([
    readAlertSettings(db, { organizationId: location.organizationId, id: location.serviceId }),
    findFirstListeners(db, location, actor.membershipId, RECIPIENTS_MAX),
    findBoundWebhooks(db, location),
  ])
  const hasListener = listeners.total > 0 || webhooks.some((webhook) => webhook.isEnabled)
  const notified = hasListener ? listeners.recipients : await findOwner(db, location.organizationId)
  const silences = await findSilences(db, location.organizationId, notified, location)
  const recipients: Previewed[] = []
  for (const recipient of notified) {
    const held = silences.get(recipient.membershipId) ?? []
    const event = { ...location, kind: 'service.failed' }
    recipients.push(present(ctx, recipient, await silencedNow(held, event, 'email', ctx.now(), location.timezone)))
  }
  return {
    serviceId: location.serviceId,
    settings,
    hasListener,
    isMailConfigured: ctx.settings.SMTP_URL !== undefined,
    recipients,
    recipientsTotal: hasListener ? listeners.total : notified.length,
    webhooks:
      actor.sections.webhooks === 0
        ? null
        : webhooks
            .slice(0, RECIPIENTS_MAX)
            .map(({ isEnabled, preset: _, ...webhook }) => ({ ...webhook, enabled: isEnabled })),
    webhooksTotal: webhooks.length,
  }
}

function present(
  { actor }: Pick<ActorContext, 'actor'>,
  { membershipId, displayName, email, heardThrough }: Recipient,
  silenced: Suppression | null,
): Previewed {
  const isSelf = membershipId === actor.membershipId
  return {
    ...showMember(actor, { orgUserId: membershipId, name: displayName, email, heardThrough }),
    isSilenced: silenced !== null,
    silencedReason: silenced?.reason ?? null,
    silencedUntil: silenced?.until?.toISOString() ?? null,
    silenceId: isSelf && silenced ? silenced.silenceId : null,
  }
}
