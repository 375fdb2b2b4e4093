import { ApiError } from '../errors.ts'
import { ApiKeyInfo } from '../schemas/keys.ts'
import { memberProcedure, router } from '../trpc.ts'

const get = memberProcedure
  .meta({
    openapi: { method: 'GET', path: '/key', operationId: 'getKey', summary: 'Describe the calling key', tags: ['Key'] },
  })
  .output(ApiKeyInfo)
  .query(({ ctx: { actor } }): ApiKeyInfo => {
    const { key } = actor
    // A session of the dashboard has no key.
    if (!key) throw new ApiError('not_found')
    return {
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      access: key.access,
      expiresAt: key.expiresAt?.toISOString() ?? null,
      organization: { id: actor.organizationId, name: actor.organizationName },
      user: { id: actor.userId, email: actor.email },
    }
  })

export const keyRouter = router({ get })
