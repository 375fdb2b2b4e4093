import type { Db } from '#db/client.ts'
import { eq } from '#db/drizzle.cjs'
import { memberships, organizations, users } from '#db/schema/organizations.ts'
import { hashPassword } from '#server/identity/auth/passwords.ts'
import { createInstallation } from '#test/screenshots/installation.ts'
import { testRuntime } from '#test/support/api/api.ts'
import type { Demo } from './folder.ts'
import { liveService } from './target.ts'

/** Fills an empty database with the history of the screenshots. The member who signs in owns the organization. */
export async function fillDemo(db: Db, demo: Demo, settings: Record<string, string>, days: number): Promise<void> {
  const now = new Date()
  const live = { days, hasWorkers: true, change: liveService(demo.targetPort) }
  const { viewer } = await createInstallation(testRuntime(db, settings), now, live)
  const { userId, organizationId } = viewer
  const passwordHash = await hashPassword(demo.password)
  await db.transaction(async (tx) => {
    const [former] = await tx.select({ id: memberships.userId }).from(memberships).where(eq(memberships.isOwner, true))
    if (former) await tx.delete(users).where(eq(users.id, former.id))
    await tx.update(users).set({ email: demo.email, passwordHash }).where(eq(users.id, userId))
    await tx.update(memberships).set({ isOwner: true }).where(eq(memberships.id, viewer.membershipId))
    await tx.update(organizations).set({ isOperator: true }).where(eq(organizations.id, organizationId))
  })
}
