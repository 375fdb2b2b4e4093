import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import type { Tx } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { maintenances } from '#db/schema/maintenances.ts'
import { readMaintained } from '#server/schedule/maintenance/holding.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'

const database = probedDatabase()
const PAST = 20_000

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] }

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

test('what holds for services is read by an index, however many maintenances are past', async () => {
  const { db } = database
  const service = await database.createProbedService('get("http://a.example/")')
  const { id: serviceId, organizationId } = service
  await db.execute(sql`
    insert into maintenances (id, organization_id, service_id, mode, starts_at, ends_at, created_by, created_name)
    select gen_random_uuid(), ${organizationId}, ${serviceId}, 'mute', now() - make_interval(mins => i),
      now() - make_interval(mins => i), ${uuidv7()}, 'Ada' from generate_series(1, ${PAST}::int) i`)
  const held = { id: uuidv7(), organizationId, serviceId, mode: 'skip' as const, createdBy: uuidv7() }
  const times = { startsAt: new Date(Date.now() - 1_000), endsAt: new Date(Date.now() + 60_000) }
  await db.insert(maintenances).values({ ...held, ...times, createdName: 'Ada' })
  await db.execute(sql`analyze maintenances`)
  const read = await db.transaction((tx) => readMaintained(tx, [{ organizationId, id: serviceId }]))
  expect(read).toEqual(new Map([[serviceId, [{ id: serviceId, mode: 'skip', ...times }]]]))

  const plans: Plan[] = []
  const explaining = {
    execute: async (query: ReturnType<typeof sql>) => {
      const [row] = await db.execute<{ 'QUERY PLAN': { Plan: Plan }[] }>(sql`explain (format json) ${query}`)
      plans.push(...(row?.['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)) ?? []))
      return []
    },
  } as unknown as Tx
  await readMaintained(explaining, [{ organizationId, id: serviceId }])
  const ofMaintenances = plans.filter((plan) => plan['Relation Name'] === 'maintenances')
  expect(ofMaintenances.map((plan) => plan['Node Type'])).not.toContain('Seq Scan')
  expect(ofMaintenances).toHaveLength(1)
})
