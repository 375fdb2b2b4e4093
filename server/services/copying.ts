import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import { and, eq, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { serviceAgents } from '#db/schema/resources.ts'
import { variables } from '#db/schema/scoped.ts'
import type { Vault } from '../vault.ts'
import type { ServiceRow } from './view.ts'

/**
 * Copies the agents and the variables of a service to a new one that has its system variables. Secrets are not copied,
 * because they cannot be read. Metrics that a script wrote back belong to the runs of the other service.
 * @returns the keys of the secrets
 */
export async function copyBelongings(tx: Tx, vault: Vault, from: ServiceRow, to: ServiceRow): Promise<string[]> {
  await tx.execute(sql`
    insert into service_agents (organization_id, service_id, agent_id)
    select organization_id, ${to.id}, agent_id from ${serviceAgents} where ${matchesRow(serviceAgents.serviceId, from)}`)
  const rows = await tx.select().from(variables).where(matchesRow(variables.serviceId, from)).orderBy(variables.key)
  for (const row of rows.filter(({ systemType }) => systemType !== null)) {
    await tx
      .update(variables)
      .set({ value: row.value })
      .where(and(matchesRow(variables.serviceId, to), eq(variables.key, row.key)))
  }
  const own = rows.filter(({ systemType, type, isScriptWritten }) => {
    return systemType === null && type !== 'secret' && !isScriptWritten
  })
  const copies = own.map((row) => {
    const id = uuidv7()
    // A sealed value is bound to its row.
    const sealed = row.sealed && resealed(vault, row.sealed, row.organizationId, row.id, id)
    return { ...row, id, sealed, serviceId: to.id, createdAt: to.createdAt, updatedAt: to.createdAt }
  })
  if (copies.length > 0) await tx.insert(variables).values(copies)
  return rows.flatMap(({ type, key }) => (type === 'secret' ? key : []))
}

function resealed(vault: Vault, sealed: Buffer, organizationId: string, fromId: string, toId: string): Buffer {
  return vault.seal(vault.open(sealed, 'variable', organizationId, fromId), 'variable', organizationId, toId)
}
