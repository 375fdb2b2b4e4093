import { type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'

/**
 * Sends one request on a new connection, and reads its response. This is what Node's own client takes, without a script,
 * assertions or a guard: no run in Node can take less.
 */
export function bareRequest(protocol: 'http' | 'https', options: RequestOptions): Promise<void> {
  const request = protocol === 'http' ? requestPlain : requestSecure
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, agent: false }, (response) =>
      response.resume().on('end', resolve).on('error', reject),
    )
    sent.on('error', reject).end()
  })
}
