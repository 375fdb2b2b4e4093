import { sql } from '#db/drizzle.cjs'
import { answerAlertQuestion } from '../../alerts/alerts/alert-question.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { fieldInvalid } from '../../errors.ts'
import { AlertAnswer, AlertQuestion } from '../../schemas/alerts/question.ts'
import { Ok } from '../../schemas/conventions.ts'
import { orgSessionProcedure, router } from '../../trpc.ts'
import { followUnheardWorkspaces } from '../follows.ts'

// "Where should alerts go?", asked once per organization, after its first run that passed. A webhook that is created with a
// binding is an answer too.

const get = orgSessionProcedure('webhooks', 'write')
  .meta({ api: { errors: ['insufficient_permissions'] } })
  .output(AlertQuestion)
  .query(async ({ ctx }) => ({ isAsked: await isAsked(ctx) }))

/** `mail`: the member follows the workspaces that they are not notified of yet, up to the limit of follows. */
const answer = orgSessionProcedure('webhooks', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'field_invalid'] } })
  .input(AlertAnswer)
  .output(Ok)
  .mutation(({ ctx, input: { to } }) => {
    if (to === 'mail' && ctx.settings.SMTP_URL === undefined)
      throw fieldInvalid('to', 'must not be mail: mail is not configured')
    const { organizationId, organizationName } = ctx.actor
    return ctx.db.transaction(async (tx) => {
      await answerAlertQuestion(tx, ctx)
      const details = to === 'mail' ? { to, followed: await followUnheardWorkspaces(tx, ctx) } : { to }
      await audit(tx, ctx, {
        action: 'organization.answer_alerts',
        entityType: 'organization',
        entityId: organizationId,
        entityName: organizationName,
        details,
      })
      return { ok: true as const }
    })
  })

export const alertQuestionRouter = router({ get, answer })

async function isAsked({ db, actor: { organizationId } }: ActorContext): Promise<boolean> {
  const [row] = await db.execute<{ isAsked: boolean }>(sql`
    select o.alerts_answered_at is null and exists (
      select from service_states s where s.organization_id = o.id and s.probes_success > 0) as "isAsked"
    from organizations o where o.id = ${organizationId}`)
  return row?.isAsked ?? false
}
