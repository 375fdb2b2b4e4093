'use client'

import type { ServiceOutcome } from '#server/schemas/bulk.ts'
import { mutation } from '../../client/api.ts'
import { BulkDialog, type BulkDialogProps, type Done } from './bulk-dialog.tsx'
import { judgeAcknowledgement, planOf, type Selected } from './plan.ts'
import { undoOfAcknowledgement } from './undo.ts'

/** Acknowledges the open incidents of services. */
export function BulkAcknowledgeDialog(props: BulkDialogProps<Selected>) {
  const plan = planOf(props.services, judgeAcknowledgement)
  return (
    <BulkDialog
      {...props}
      title="Acknowledge"
      plan={plan}
      submitLabel={
        plan.changes.length === 1 ? 'Acknowledge 1 incident' : `Acknowledge ${plan.changes.length} incidents`
      }
      done="acknowledged"
      send={() => acknowledge(props.services)}
    />
  )
}

async function acknowledge(services: Selected[]): Promise<Done> {
  const of = new Map(services.flatMap((one) => (one.incident?.acknowledgedAt === null ? [[one.incident.id, one]] : [])))
  const { incidents } = await mutation('incidents.acknowledgeMany').mutationFn({ ids: [...of.keys()] })
  const done = incidents.filter(({ outcome }) => outcome === 'acknowledged').map(({ incidentId }) => incidentId)
  const lines = incidents.flatMap(({ incidentId, outcome }): ServiceOutcome[] => {
    const service = of.get(incidentId)
    if (!service) return []
    const line = { serviceId: service.id, name: service.name }
    if (outcome === 'acknowledged') return [{ ...line, outcome: 'changed', reason: null }]
    if (outcome === 'unchanged') return [{ ...line, outcome: 'unchanged', reason: null }]
    return [{ ...line, outcome: 'skipped', reason: outcome }]
  })
  return { result: { services: lines }, undo: undoOfAcknowledgement(done) }
}
