import { z } from 'zod'

export const Agent = z
  .object({ slug: z.string(), label: z.string() })
  .meta({ id: 'Agent', description: 'A location that probes run from.' })
export type Agent = z.output<typeof Agent>

export const AgentSlugs = z.array(z.string()).meta({
  id: 'AgentSlugs',
  description: 'Slugs of agents; an empty array means any agent.',
})
