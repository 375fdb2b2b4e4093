import { headers } from 'next/headers'
import { isSetupOpen } from '#server/accounts/setup.ts'
import { contextFromSession } from '#server/auth/sessions.ts'
import { createCaller } from '#server/router.ts'
import { processRuntime } from '#server/runtime.ts'
import type { Me } from '#server/schemas/account/accounts.ts'
import { localPath } from './client/local-path.ts'

// Layouts ask only who is there and where to send them; everything else a page shows comes through the client.

/** The member whose session this request carries; null when there is none. */
export async function findCurrentMember(): Promise<Me | null> {
  const request = await headers()
  const context = await contextFromSession(
    processRuntime(),
    {
      cookies: request.get('cookie'),
      userAgent: request.get('user-agent') ?? '',
      address: '',
      requestId: '',
    },
    () => {},
  )
  if (!context.actor && !context.session?.unenrolled) return null
  return createCaller(context).auth.me()
}

/** Where someone without a session goes: to the first set-up while there is no account, else to sign in. */
export async function signInOrSetupPath(): Promise<string> {
  if (await isSetupOpen(processRuntime().db)) return '/setup'
  const path = localPath((await headers()).get('x-page-path'))
  return path === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`
}
