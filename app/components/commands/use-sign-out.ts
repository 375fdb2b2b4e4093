import { useMutation } from '@tanstack/react-query'
import { mutation } from '../../client/api.ts'
import { setSigningOut } from '../../client/session/session-ended.ts'

/** Ends the session and opens the sign-in page. The tab forgets what it keeps, such as an API key for the reference. */
export function useSignOut() {
  return useMutation({
    ...mutation('auth.signOut'),
    onMutate: () => setSigningOut(true),
    onSuccess: () => {
      window.sessionStorage.clear()
      window.location.assign('/sign-in')
    },
    onError: () => setSigningOut(false),
  })
}
