import type { Transport } from '#server/language/lace/transport.ts'
import { OutsideNetworks } from '../http/guard.ts'

/**
 * Watches the first request of a run. `refusedHost` is its host if the agent's own networks did not let it out: the run
 * ends with it, and nothing was sent. A later request, or the target of a redirect, that is refused is a failure.
 */
export function watchFirstRequest(transport: Transport): { transport: Transport; refusedHost: () => string | null } {
  let isFirst = true
  let refusedHost: string | null = null
  return {
    refusedHost: () => refusedHost,
    async transport(request) {
      const wasFirst = isFirst
      isFirst = false
      try {
        return await transport(request)
      } catch (error) {
        if (wasFirst && error instanceof OutsideNetworks) refusedHost = request.url.hostname
        throw error
      }
    },
  }
}
