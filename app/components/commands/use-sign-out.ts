import { useMutation } from '@tanstack/react-query'
import { mutation } from '../../client/api.ts'

/** Ends the session and opens the sign-in page. */
export function useSignOut() {
  return useMutation({ ...mutation('auth.signOut'), onSuccess: () => window.location.assign('/sign-in') })
}
