import { v7 as uuidv7 } from 'uuid'
import type { Queryable, Tx } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { setupLinks } from '#db/schema/credentials.ts'
import { users } from '#db/schema/organizations.ts'
import { agents } from '#db/schema/resources.ts'
import { audit } from '../../audit.ts'
import type { Runtime } from '../../context.ts'
import { SettingsError } from '../../process/environment.ts'
import { Email, NewPassword } from '../../schemas/account/accounts.ts'
import { Name } from '../../schemas/conventions.ts'
import { hashPassword } from '../auth/passwords.ts'
import { createOrganization } from './organizations.ts'

/** An arbitrary number: the advisory lock that serializes setups. */
const LOCK = 7_236_003

export type FirstAccount = {
  email: string
  passwordHash: string
  displayName: string
  organization: string
  address: string
}

/** True while the installation has no account. */
export async function isSetupOpen(db: Queryable): Promise<boolean> {
  const [row] = await db.select({ id: users.id }).from(users).limit(1)
  return row === undefined
}

/**
 * Creates the first account, its organization and the shared agent of this installation. Returns null when an account
 * exists. Of several attempts at once, one succeeds.
 */
export async function createFirstAccount(
  tx: Tx,
  { settings, now }: Pick<Runtime, 'settings' | 'now'>,
  first: FirstAccount,
): Promise<{ userId: string; organizationId: string } | null> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`)
  if (!(await isSetupOpen(tx))) return null
  const userId = uuidv7()
  const createdAt = now()
  const { email, passwordHash, displayName } = first
  await tx.insert(users).values({ id: userId, email, passwordHash, displayName, createdAt })
  await tx.delete(setupLinks)
  const organization = await createOrganization(tx, {
    name: first.organization,
    ownerId: userId,
    isOperator: true,
    now: createdAt,
  })
  await tx
    .insert(agents)
    .values({ id: uuidv7(), slug: settings.AGENT_SLUG, label: labelOf(settings.AGENT_SLUG), createdAt })
    .onConflictDoNothing()
  await audit(
    tx,
    { actor: { organizationId: organization.id, userId, email, key: null }, address: first.address },
    {
      action: 'organization.create',
      entityType: 'organization',
      entityId: organization.id,
      entityName: organization.name,
    },
  )
  return { userId, organizationId: organization.id }
}

/**
 * Creates the first account from `SETUP_EMAIL`, `SETUP_PASSWORD` and `SETUP_ORGANIZATION`, when all are set and no account
 * exists. The operator's password may be a common one. Returns whether it created the account.
 * @throws SettingsError when some of the three are missing or not valid
 */
export async function setupFromSettings(runtime: Pick<Runtime, 'db' | 'settings' | 'now'>): Promise<boolean> {
  const { SETUP_EMAIL, SETUP_PASSWORD, SETUP_ORGANIZATION } = runtime.settings
  const values = { SETUP_EMAIL, SETUP_PASSWORD, SETUP_ORGANIZATION }
  const missing = Object.entries(values).filter(([, value]) => value === undefined)
  if (missing.length === 3 || !(await isSetupOpen(runtime.db))) return false
  if (missing.length > 0) {
    throw new SettingsError(missing.map(([name]) => `${name}: must be set with the other SETUP_ settings`).join('; '))
  }
  const email = parseSetting('SETUP_EMAIL', Email, SETUP_EMAIL)
  const passwordHash = await hashPassword(parseSetting('SETUP_PASSWORD', NewPassword, SETUP_PASSWORD))
  const organization = parseSetting('SETUP_ORGANIZATION', Name, SETUP_ORGANIZATION)
  const created = await runtime.db.transaction((tx) =>
    createFirstAccount(tx, runtime, {
      email,
      passwordHash,
      displayName: nameFromEmail(email),
      organization,
      address: 'settings',
    }),
  )
  return created !== null
}

/** Returns the part of an address before the @, for a person without a name. */
export function nameFromEmail(email: string): string {
  return email.slice(0, email.indexOf('@')).slice(0, 128)
}

function labelOf(slug: string): string {
  return slug.charAt(0).toUpperCase() + slug.slice(1)
}

function parseSetting<T>(
  name: string,
  schema: {
    safeParse: (
      value: unknown,
    ) => { success: true; data: T } | { success: false; error: { issues: { message: string }[] } }
  },
  value: unknown,
): T {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new SettingsError(`${name}: ${parsed.error.issues[0]?.message}`)
  return parsed.data
}
