import { queryInt } from '../conventions.ts'

/** The longest time that a request waits for a run, in seconds: shorter than the idle timeouts of proxies. */
export const WAIT_MAX_SECONDS = 30

export const Wait = queryInt(0, WAIT_MAX_SECONDS).default(0).meta({
  description:
    'How many seconds to wait for the end: the response is sent when everything is done, or after this time with the current state. A request that waits counts once against the rate limit.',
  example: 30,
})
