import { expect, test } from 'vitest'
import { createDatabaseGauges } from '#server/fronts/exposition/database-gauges.ts'
import { observeQueueWaits } from '#server/observe/metrics/runs.ts'
import { processSeries } from '#server/observe/metrics/series.ts'
import { testDatabase } from '#test/support/database.ts'

const database = testDatabase()

test('a shared agent and one of an organization with the same slug have series of their own', async () => {
  const { id: organizationId } = await database.create.organization()
  await database.create.agent({ slug: 'eu-west' })
  await database.create.agent({ slug: 'eu-west', organizationId })
  const families = await createDatabaseGauges(database.db)()
  const samples = families.find(({ name }) => name === 'soundline_agent_processes')?.samples.join('\n')
  expect(samples).toContain('soundline_agent_processes{agent="eu-west",organization=""} 0')
  expect(samples).toContain(`soundline_agent_processes{agent="eu-west",organization="${organizationId}"} 0`)

  const run = { agentSlug: 'eu-west', organizationId, waitedMs: 10 }
  observeQueueWaits([run, { ...run, isOwnAgent: true }, { ...run, isOwnAgent: true }])
  const { values } = await processSeries().queueWait.get()
  const counts = values.filter(({ metricName }) => metricName?.endsWith('_count'))
  expect(counts.map(({ labels, value }) => [labels.organization, value])).toEqual([
    ['', 1],
    [organizationId, 2],
  ])
})

test('agents of organizations do not take the place of shared ones among the bounded labels', async () => {
  const { queueWait } = processSeries()
  queueWait.reset()
  const organizationId = 'acme'
  observeQueueWaits(
    Array.from({ length: 150 }, (_, nth) => ({ agentSlug: `a-${nth}`, organizationId, isOwnAgent: true, waitedMs: 1 })),
  )
  observeQueueWaits([{ agentSlug: 'frankfurt', organizationId, waitedMs: 1 }])
  const agents = (await queueWait.get()).values.map(({ labels }) => labels.agent)
  expect(agents).toContain('frankfurt')
  expect(agents).toContain('other')
})
