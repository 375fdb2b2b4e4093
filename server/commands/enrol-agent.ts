import { parseArgs } from 'node:util'
import { and, eq, isNull } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { databaseNow } from '#db/clock.ts'
import { agents } from '#db/schema/resources.ts'
import { createEnrolment } from '../identity/auth/agent-enrolments.ts'
import { withCheckedDatabase } from '../process/check-database.ts'
import { requireDatabaseUrl } from '../process/embedded-database.ts'
import { runOnce, StartupError } from '../process/lifecycle.ts'
import { settings } from '../process/settings.ts'
import { Name } from '../schemas/conventions.ts'
import { AgentSlug } from '../schemas/organization/agents.ts'

// `npm run enrol-agent -- --slug SLUG [--label LABEL]`: prints a one-time token for a remote agent that all organizations
// share.

const USAGE = 'Usage: npm run enrol-agent -- --slug eu-west [--label "EU west"]'

await runOnce(async () => {
  const { slug, label } = readArguments()
  const current = settings()
  await withCheckedDatabase(requireDatabaseUrl(current), 'soundline-enrol-agent', async (db) => {
    const enrolment = await db.transaction(async (tx) => {
      await tx.insert(agents).values({ id: uuidv7(), slug, label, isRemote: true }).onConflictDoNothing()
      const [agent] = await tx
        .select()
        .from(agents)
        .where(and(eq(agents.slug, slug), isNull(agents.organizationId)))
      if (!agent) throw new StartupError(`The agent "${slug}" was removed meanwhile`)
      return createEnrolment(tx, agent, null, await databaseNow(tx))
    })
    console.log(`This token enrols a process of the agent "${slug}". It works once, within 15 minutes:`)
    console.log(enrolment.token)
  })
})

function readArguments(): { slug: string; label: string } {
  try {
    const { values } = parseArgs({ options: { slug: { type: 'string' }, label: { type: 'string' } } })
    const slug = AgentSlug.parse(values.slug)
    return { slug, label: Name.parse(values.label ?? slug) }
  } catch {
    throw new StartupError(USAGE)
  }
}
