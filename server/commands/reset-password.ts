import { databaseNow } from '#db/clock.ts'
import { linkUrl } from '../identity/accounts/link-tokens.ts'
import { createPasswordReset } from '../identity/accounts/password-resets.ts'
import { withCheckedDatabase } from '../process/check-database.ts'
import { requireDatabaseUrl } from '../process/embedded-database.ts'
import { runOnce, StartupError } from '../process/lifecycle.ts'
import { settings } from '../process/settings.ts'
import { Email } from '../schemas/account/accounts.ts'

// `npm run reset-password -- EMAIL`: prints a link to set a new password, for installations without mail.

await runOnce(async () => {
  const email = Email.safeParse(process.argv[2])
  if (!email.success) throw new StartupError('Usage: npm run reset-password -- EMAIL')
  const current = settings()
  await withCheckedDatabase(requireDatabaseUrl(current), 'soundline-reset-password', async (db) => {
    const request = { address: 'localhost', by: 'operator' } as const
    const token = await db.transaction(async (tx) =>
      createPasswordReset(tx, email.data, await databaseNow(tx), request),
    )
    if (!token) throw new StartupError(`No one can sign in with ${email.data}`)
    console.log('This link sets a new password. It works once, within an hour:')
    console.log(linkUrl(current, 'reset-password', token))
  })
})
