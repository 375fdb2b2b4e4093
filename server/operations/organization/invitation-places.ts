import type { z } from 'zod'
import type { Queryable, Tx } from '#db/client.ts'
import { and, asc, sql } from '#db/drizzle.cjs'
import { matchesAny } from '#db/row-match.ts'
import type { InvitedPlace } from '#db/schema/organizations.ts'
import { REACHABLE } from '../../access.ts'
import type { Actor } from '../../context.ts'
import { fieldInvalid } from '../../errors.ts'
import { requireResource } from '../../resources.ts'
import { LEVELS } from '../../schemas/account/sections.ts'
import type { PlaceGrant, InvitedPlace as ShownPlace } from '../../schemas/organization/places.ts'
import { RESOURCE_TYPES, type ResourceType } from '../../schemas/scopes.ts'

// The grants that an invitation promises. Its maker must be able to give them when it is made, and when it is accepted.

/**
 * Returns the places of a new invitation with their names.
 * @throws ApiError `not_found` without write on one, `field_invalid` for one that is named twice
 */
export async function requirePlaces(
  ctx: { db: Queryable; actor: Actor },
  places: z.output<typeof PlaceGrant>[],
): Promise<InvitedPlace[]> {
  const ids = new Set(places.map(({ resourceId }) => resourceId.toLowerCase()))
  if (ids.size < places.length) throw fieldInvalid('places', 'must name each place only once')
  return Promise.all(
    places.map(async ({ resourceType, resourceId, permissions, notify }) => {
      const { id, name } = await requireResource(ctx, resourceType, resourceId, 'write', 'places')
      return { resourceType, resourceId: id, name, permissions, notify }
    }),
  )
}

/** Splits places into those on which the maker may still give access, which are locked, and the names of the others. */
export async function grantablePlaces(
  tx: Tx,
  maker: Actor,
  places: InvitedPlace[],
): Promise<{ given: InvitedPlace[]; lost: string[] }> {
  const reached = new Set<string>()
  for (const type of RESOURCE_TYPES) {
    const ids = idsOf(places, type)
    if (ids.length === 0) continue
    const [table, reaches] = REACHABLE[type]
    const rows = await tx
      .select({ id: table.id })
      .from(table)
      .where(and(matchesAny(table.id, maker.organizationId, ids), reaches(maker, 'write')))
      .orderBy(asc(table.id))
      .for('key share')
    for (const { id } of rows) reached.add(id)
  }
  const isGiven = ({ resourceId }: InvitedPlace) => reached.has(resourceId)
  return {
    given: places.filter(isGiven),
    lost: places.filter((place) => !isGiven(place)).map(({ name }) => name),
  }
}

/** Returns the places for an audit entry, such as `Checkout (write)`. */
export function accessDetails(places: InvitedPlace[]): string[] {
  return places.map(({ name, permissions }) => `${name} (${LEVELS[permissions]})`)
}

type Found = { id: string; name: string; isVisible: boolean }

/** Returns a function that shows a promised place to the reader, with its present name. */
export async function placeReader(
  db: Queryable,
  actor: Actor,
  places: InvitedPlace[],
): Promise<(place: InvitedPlace) => z.output<typeof ShownPlace>> {
  const found = new Map<string, Found>()
  for (const type of RESOURCE_TYPES) {
    const ids = idsOf(places, type)
    if (ids.length === 0) continue
    const [table, reaches] = REACHABLE[type]
    const rows = await db
      .select({ id: table.id, name: table.name, isVisible: sql<boolean>`${reaches(actor, 'visible')}` })
      .from(table)
      .where(matchesAny(table.id, actor.organizationId, ids))
    for (const row of rows) found.set(row.id, row)
  }
  return ({ resourceType, resourceId, permissions, notify }) => {
    const row = found.get(resourceId)
    const seen = row?.isVisible ? row : null
    return {
      resourceType,
      resourceId: seen?.id ?? null,
      name: seen?.name ?? null,
      permissions,
      notify,
      isGone: row === undefined,
    }
  }
}

function idsOf(places: InvitedPlace[], type: ResourceType): string[] {
  return places.filter(({ resourceType }) => resourceType === type).map(({ resourceId }) => resourceId)
}
