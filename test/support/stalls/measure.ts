import type { Reading } from './gauged-process.ts'
import type { HostileInput } from './hostile-input.ts'
import type { StallSetup } from './setup.ts'
import { variationOf } from './variation.ts'

export type Measured = Reading & {
  /** The member of the family with the longest stall. */
  worstMember: number
}

/** Sends the first `members` of an input's family one by one, and returns the worst reading. */
export async function measure(setup: StallSetup, input: HostileInput, members: number): Promise<Measured> {
  const measured: Measured = { longestMs: 0, peakBytes: 0, worstMember: 0 }
  const target = setup[input.process]
  for (let member = 0; member < members; member++) {
    await target.reset()
    await input.send(setup, variationOf(input.name, member))
    const { longestMs, peakBytes } = await target.read()
    if (longestMs > measured.longestMs) Object.assign(measured, { longestMs, worstMember: member })
    measured.peakBytes = Math.max(measured.peakBytes, peakBytes)
  }
  return measured
}

/** Makes both processes load and compile their code, so that this is not measured as the cost of an input. */
export async function warmUp(setup: StallSetup): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await setup.api('GET', '/key')
    await setup.api('POST', `/projects/${setup.projectId}/services`, { name: `Warm ${round}` })
    await setup.send('/sign-in')
    await setup.get(`/incidents/${setup.incidentId}`)
    await setup.rpc('auth.signIn', { email: 'nobody@example.com' })
  }
  await setup.probe(`get("http://127.0.0.1:${setup.web.port}/api/health").expect(status: 200)`)
}
