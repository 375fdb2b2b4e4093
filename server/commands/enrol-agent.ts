import { parseArgs } from 'node:util'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { databaseNow } from '#db/clock.ts'
import { and, eq, isNull } from '#db/drizzle.cjs'
import { agents } from '#db/schema/resources.ts'
import { createEnrolment } from '../identity/auth/agent-enrolments.ts'
import { withCheckedDatabase } from '../process/check-database.ts'
import { requireDatabaseUrl } from '../process/embedded-database.ts'
import { runOnce, StartupError } from '../process/lifecycle.ts'
import { settings } from '../process/settings.ts'
import { Name } from '../schemas/conventions.ts'
import { AgentSlug } from '../schemas/organization/agents.ts'

// `npm run enrol-agent -- --slug SLUG [--label LABEL] [--for none|all]`: prints a one-time token for a remote agent that all
// organizations share. A new agent runs only services that name it, unless it is for all; an agent stays as it is.

const USAGE = 'Usage: npm run enrol-agent -- --slug eu-west [--label "EU west"] [--for none|all]'

const FOR_ALL = 'Services of all organizations that name no agent run on it. With --for none, only those that name it.'
const FOR_NONE = 'It runs only services that name it. With --for all, also those that name no agent.'

await runOnce(async () => {
  const { slug, label, isOpen } = readArguments()
  const current = settings()
  await withCheckedDatabase(requireDatabaseUrl(current), 'soundline-enrol-agent', async (db) => {
    const enrolment = await db.transaction(async (tx) => {
      const created = { id: uuidv7(), slug, label, isRemote: true, isOpen: isOpen ?? false }
      await tx.insert(agents).values(created).onConflictDoNothing()
      const shared = and(eq(agents.slug, slug), isNull(agents.organizationId))
      if (isOpen !== undefined) await tx.update(agents).set({ isOpen }).where(shared)
      const [agent] = await tx.select().from(agents).where(shared)
      if (!agent) throw new StartupError(`The agent "${slug}" was removed meanwhile`)
      return { ...(await createEnrolment(tx, agent, null, await databaseNow(tx))), isOpen: agent.isOpen }
    })
    console.log(enrolment.isOpen ? FOR_ALL : FOR_NONE)
    console.log(`This token enrols a process of the agent "${slug}". It works once, within 15 minutes:`)
    console.log(enrolment.token)
  })
})

function readArguments(): { slug: string; label: string; isOpen: boolean | undefined } {
  try {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ options: { slug: text, label: text, for: text } })
    const slug = AgentSlug.parse(values.slug)
    const services = z.enum(['none', 'all']).optional().parse(values.for)
    return { slug, label: Name.parse(values.label ?? slug), isOpen: services && services === 'all' }
  } catch {
    throw new StartupError(USAGE)
  }
}
