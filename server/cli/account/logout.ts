import type { Registration } from '../cli.ts'
import { loginPath, removeLogin } from '../configuration/login-file.ts'
import { printLine } from '../output/print.ts'

export const registerLogout: Registration = (program, cli, action) => {
  program
    .command('logout')
    .summary('remove the stored address and API key')
    .description(
      'Removes the stored address and API key from this computer. The key itself stays valid until it is revoked.',
    )
    .addHelpText('after', '\nExample:\n  soundline logout')
    .action(
      action(async () => {
        const isRemoved = await removeLogin(cli)
        printLine(cli, isRemoved ? `Removed ${loginPath(cli)}.` : 'You are not logged in.')
        return undefined
      }),
    )
}
