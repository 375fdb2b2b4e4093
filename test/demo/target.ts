import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '#server/durations.ts'
import { type PlannedService, SERVICES } from '#test/screenshots/services.ts'
import { answerOf, type Call, callsIn } from '#test/screenshots/target.ts'

// The target of the demo's services. The first part of a path names the service.

/** Each service that fails at all does so once in this time, one after the other. */
const ROUND_MS = 120 * MINUTE_MS
const OUTAGE_MS = 12 * MINUTE_MS

const FAILING = SERVICES.filter(({ outages = [] }) => outages.length > 0)

/** Returns a function that lets the scripts of a service call the target on this port. */
export function liveService(port: number): (service: PlannedService) => PlannedService {
  return (service) => {
    const changed = (script: string) =>
      script.replaceAll(/https:\/\/[a-z.]+\.example/g, `http://127.0.0.1:${port}/${slugOf(service)}`)
    const earlier = service.earlier?.map((one) => ({ ...one, script: changed(one.script) }))
    return { ...service, script: changed(service.script), ...(earlier && { earlier }) }
  }
}

/** Creates the server, which does not listen yet. It answers as in the month, and as late. */
export function createDemoTarget(now: () => number = Date.now): Server {
  return createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const service = SERVICES.find((one) => url.pathname.startsWith(`/${slugOf(one)}/`))
    request.resume()
    if (!service) return response.writeHead(404).end()
    const outage = outageOf(service, now())
    // As in the month, the last call of a script fails.
    const last = callsIn(service.script).at(-1)
    const call = { method: request.method ?? 'GET', path: url.pathname.slice(slugOf(service).length + 1) }
    const { status, body } = answerOf(service, call, last && isSame(last, call) ? outage : undefined)
    await sleep(service.ms * (0.8 + 0.5 * Math.random()) * (outage?.slow ?? 1))
    const text = status === 204 ? '' : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', server: 'envoy' }).end(text)
  })
}

/** Returns the outage that a service has at a time. The turns follow the clock, so that a restart changes nothing. */
function outageOf(service: PlannedService, at: number) {
  const index = FAILING.indexOf(service)
  const began = (index * ROUND_MS) / FAILING.length
  const since = (at % ROUND_MS) - began
  return index >= 0 && since >= 0 && since < OUTAGE_MS ? service.outages?.[0] : undefined
}

function slugOf({ name }: PlannedService): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

/** Returns whether a request is the call of a script, whose variables stand for one part of the path. */
function isSame(inScript: Call, { method, path }: Call): boolean {
  const pattern = inScript.path.replaceAll(/\$\$\w+/g, '[^/]+')
  return inScript.method === method && new RegExp(`^${pattern}$`).test(path)
}
