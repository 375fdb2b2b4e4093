import type { Actor } from '../context.ts'
import { ApiError } from '../errors.ts'
import { ApiKeyInfo } from '../schemas/keys.ts'
import { memberProcedure, router } from '../trpc.ts'

const get = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/key',
      operationId: 'getKey',
      summary: 'Describe the calling key',
      description:
        'The member, organization, access level and expiry of the key. Call it first to check that a key works.',
      tags: ['Key'],
    },
  })
  .output(ApiKeyInfo)
  .query(({ ctx: { actor } }) => {
    const { key } = actor
    // A session of the dashboard has no key.
    if (!key) throw new ApiError('not_found')
    const organization = { id: actor.organizationId, name: actor.organizationName }
    return presentKey(key, organization, { id: actor.userId, email: actor.email })
  })

export const keyRouter = router({ get })

export function presentKey(
  key: NonNullable<Actor['key']>,
  organization: ApiKeyInfo['organization'],
  user: ApiKeyInfo['user'],
) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    access: key.access,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    organization,
    user,
  }
}
