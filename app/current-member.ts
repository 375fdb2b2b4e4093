import { headers } from 'next/headers'
import { cache } from 'react'
import type { Me } from '#server/schemas/account/accounts.ts'
import { localPath } from './client/session/local-path.ts'
import { server } from './server.ts'

/** Returns the context of the request's session, read once per request. */
export const currentContext = cache(async () => {
  const request = await headers()
  return server.contextFromSession(
    server.processRuntime(),
    {
      cookies: request.get('cookie'),
      userAgent: request.get('user-agent') ?? '',
      address: '',
      requestId: '',
      host: request.get('host'),
    },
    () => {},
  )
})

/** Returns the member of the request's session, or null if there is no valid session. */
export async function findCurrentMember(): Promise<Me | null> {
  const context = await currentContext()
  if (!context.actor && !context.session?.unenrolled) return null
  return server.createCaller(context).auth.me()
}

/** Returns where a request without a session is redirected: to set-up if there is no account yet, otherwise to sign-in. */
export async function signInOrSetupPath(): Promise<string> {
  if (await server.isSetupOpen(server.processRuntime().db)) return '/setup'
  const path = localPath((await headers()).get('x-page-path'))
  return path === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`
}
