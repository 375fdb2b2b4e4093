import { databaseNow } from '#db/clock.ts'
import { resetSecondFactor } from '../identity/accounts/second-factors.ts'
import { withCheckedDatabase } from '../process/check-database.ts'
import { requireDatabaseUrl } from '../process/embedded-database.ts'
import { runOnce, StartupError } from '../process/lifecycle.ts'
import { settings } from '../process/settings.ts'
import { Email } from '../schemas/account/accounts.ts'

// `npm run reset-second-factor -- EMAIL`: for someone who lost their second factor and their recovery codes.

await runOnce(async () => {
  const email = Email.safeParse(process.argv[2])
  if (!email.success) throw new StartupError('Usage: npm run reset-second-factor -- EMAIL')
  await withCheckedDatabase(requireDatabaseUrl(settings()), 'soundline-reset-second-factor', async (db) => {
    const outcome = await db.transaction(async (tx) => resetSecondFactor(tx, email.data, await databaseNow(tx)))
    if (outcome === 'no-account') throw new StartupError(`No account has the address ${email.data}`)
    if (outcome === 'none') throw new StartupError(`${email.data} has no second factor`)
    console.log(
      `Removed the authenticator, the passkeys and the recovery codes of ${email.data}, and ended all of their sessions.`,
    )
    console.log('They can now sign in with only the password. Ask them to set up a new second factor at once.')
  })
})
