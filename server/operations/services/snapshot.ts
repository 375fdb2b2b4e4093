import { z } from 'zod'
import { ServiceId } from '../../schemas/conventions.ts'
import { ServiceSnapshot } from '../../schemas/services.ts'
import { readSnapshot } from '../../services/view.ts'
import { memberProcedure } from '../../trpc.ts'

export const snapshot = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/snapshot',
      operationId: 'getServiceSnapshot',
      summary: 'Get a service and its most recent runs in one read',
      description: 'For status displays: the service as `getService` returns it, with summaries of its latest runs.',
      tags: ['Services'],
    },
    needs: { on: ['service'], level: 'read' },
  })
  .input(z.object({ id: ServiceId }))
  .output(ServiceSnapshot)
  .query(({ ctx, input }) => readSnapshot(ctx, input.id))
