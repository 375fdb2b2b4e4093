import { z } from 'zod'
import { Id, Ok } from '../../schemas/conventions.ts'
import { sessionProcedure } from '../../trpc.ts'

/** Revokes a key or session of the member. */
export const revokeProcedure = sessionProcedure
  .meta({ api: { errors: ['not_found'] } })
  .input(z.object({ id: Id }))
  .output(Ok)
