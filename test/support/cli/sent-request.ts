import { runScript } from '#server/language/lace/executor.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { type HttpTarget, readAll, startHttpTarget } from '#test/support/targets/http-target.ts'
import { createTransport } from '#worker/http/client.ts'

/** A request as it arrived. Names of headers are in lower case. */
export type Sent = { method: string; url: string; headers: Record<string, string | undefined>; body: string }

/** Starts a target that responds with 200 and records its requests. In scripts, HOST is replaced by its address. */
export async function startReceiver() {
  const received: Sent[] = []
  const target: HttpTarget = await startHttpTarget(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = (await readAll(request)).toString('utf8')
    received.push({ method, url, headers: headers as Sent['headers'], body })
    response.end('ok')
  })
  const transport = createTransport({ allowedNetworks: parseNetworks(['127.0.0.0/8']) })
  return {
    close: target.close,
    /** The address without a scheme. */
    host: `127.0.0.1:${target.port}`,
    /** Runs a script with values of its variables, and returns its requests. */
    async send(source: string, variables: Record<string, Record<string, string>> = {}): Promise<Sent[]> {
      received.length = 0
      const given = { o: {}, w: {}, p: {}, s: {}, ...variables }
      const result = await runScript({ source, variables: given, scopes: ['o', 'w', 'p', 's'], transport })
      if (received.length === 0) throw new Error(`nothing was sent: ${JSON.stringify(result.calls)}`)
      return [...received]
    },
  }
}
